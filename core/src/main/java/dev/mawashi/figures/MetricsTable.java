package dev.mawashi.figures;

import static dev.mawashi.redis.RedisConnection.utf8;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.MetricsShape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The counts by class in Redis that Sidekiq's Metrics page reads (docs/formats/sidekiq.md,
/// "Metrics"), and beside them ours by class and runner. One thread's.
public final class MetricsTable implements AutoCloseable {
    private static final Script ADD = Script.beside(MetricsTable.class, "metrics.lua");
    private static final Duration LAST_BATCH_TTL = Duration.ofDays(1);

    private final RedisConnection connection;
    private final MetricsShape shape;
    private final byte[] lastBatch;

    /// @param identity of the process whose batches these are
    public MetricsTable(RedisConnection connection, MetricsShape shape, String identity) {
        this.connection = connection;
        this.shape = shape;
        this.lastBatch = utf8(Keys.lastMetrics(identity));
    }

    /// Adds a batch, unless an earlier attempt has added it.
    public void add(MetricsBatch batch) {
        List<MetricsShape.Rollup> rollups = shape.rollups(batch.time());
        List<MetricsShape.Rollup> byRunner = MetricsShape.byRunner(batch.time());
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> args = new ArrayList<>();
        keys.add(lastBatch);
        args.add(number(batch.number()));
        args.add(seconds(LAST_BATCH_TTL));
        args.add(seconds(MetricsShape.SHORT_TERM));
        args.add(utf8(batch.runner()));
        args.add(number(rollups.size()));
        args.add(number(byRunner.size()));
        addHashes(keys, args, rollups);
        addHashes(keys, args, byRunner);
        for (MetricsBatch.ClassRuns runs : batch.classes()) {
            keys.add(utf8(shape.histogram(runs.jobClass(), batch.time())));
            args.add(utf8(runs.jobClass()));
            args.add(number(runs.processed()));
            args.add(number(runs.failed()));
            args.add(number(runs.millis()));
            addHistogram(args, runs.histogram());
        }
        connection.eval(ADD, keys, args);
    }

    /// Adds how long claimed jobs had waited, for all classes and runners together.
    ///
    /// @param jobs how many waited how long: one number a bucket
    public void addWaits(Instant time, List<Long> jobs) {
        MetricsShape.Rollup hash = MetricsShape.waits(time);
        int filled = 0;
        for (int bucket = 0; bucket < jobs.size(); bucket++) {
            if (jobs.get(bucket) > 0) {
                connection.queue(
                        utf8("HINCRBY"),
                        utf8(hash.key()),
                        number(bucket),
                        number(jobs.get(bucket)));
                filled++;
            }
        }
        if (filled > 0) {
            connection.queue(utf8("EXPIRE"), utf8(hash.key()), seconds(hash.ttl()));
            connection.flush();
        }
    }

    private static void addHashes(
            List<byte[]> keys, List<byte[]> args, List<MetricsShape.Rollup> hashes) {
        for (MetricsShape.Rollup hash : hashes) {
            keys.add(utf8(hash.key()));
            args.add(seconds(hash.ttl()));
        }
    }

    private static void addHistogram(List<byte[]> args, List<Long> histogram) {
        int place = args.size();
        int filled = 0;
        for (int bucket = 0; bucket < histogram.size(); bucket++) {
            long runs = histogram.get(bucket);
            if (runs > 0) {
                args.add(number(bucket));
                args.add(number(runs));
                filled++;
            }
        }
        args.add(place, number(filled));
    }

    private static byte[] number(long value) {
        return RedisConnection.ascii(Long.toString(value));
    }

    private static byte[] seconds(Duration time) {
        return number(time.toSeconds());
    }

    /// Forgets which batch was the last: there will be no more.
    public void leave() {
        connection.call(utf8("UNLINK"), lastBatch);
    }

    @Override
    public void close() {
        connection.close();
    }
}
