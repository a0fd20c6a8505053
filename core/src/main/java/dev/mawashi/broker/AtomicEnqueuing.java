package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Enqueues all jobs of a call or none of them, into Sidekiq's queues and its schedule set. A call
/// that has a receipt enqueues once, however often it is repeated while Redis keeps the receipt: so
/// it may be sent again after a failure of any kind. One thread's.
///
/// The jobs and the receipt are written by one script, so Redis has both or neither, also after a
/// restart or a failover.
public final class AtomicEnqueuing {
    /// Most jobs of a call. As many, of 1 MiB together, into a schedule of a million, hold Redis
    /// for 4 ms (docs/reliability.md, "At the limits").
    public static final int JOBS_MAX = 100;

    private static final Script ENQUEUE = Script.beside(AtomicEnqueuing.class, "enqueue.lua");
    private static final byte[] NONE = {};

    private final RedisConnection connection;

    /// @param connection not closed by this
    public AtomicEnqueuing(RedisConnection connection) {
        this.connection = connection;
    }

    /// A job to enqueue.
    ///
    /// @param queue its name
    /// @param due null for now
    public record Job(String queue, byte[] payload, @Nullable Instant due) {}

    /// A note that a call has been done.
    ///
    /// @param key in Redis; the same for each repetition of the call
    /// @param text for whoever repeats the call; not empty
    public record Receipt(String key, String text, Duration kept) {
        public Receipt {
            if (text.isEmpty() || kept.toSeconds() < 1) {
                throw new IllegalArgumentException("receipt \"" + text + "\", kept for " + kept);
            }
        }
    }

    /// Enqueues the jobs, those of a queue in their order.
    ///
    /// @param receipt null where each call is another
    /// @return empty when they are enqueued; otherwise the text of the receipt that an earlier call
    ///   has left, and nothing is changed
    /// @throws dev.mawashi.redis.RedisFailure when Redis cannot be reached or refuses. After one of
    ///   kind `UNKNOWN` all of them may be enqueued; after others none is
    public Optional<String> enqueue(List<Job> jobs, @Nullable Receipt receipt) {
        if (jobs.isEmpty() || jobs.size() > JOBS_MAX) {
            throw new IllegalArgumentException(jobs.size() + " jobs, not 1 to " + JOBS_MAX);
        }
        Map<String, List<byte[]>> byQueue = new LinkedHashMap<>();
        List<byte[]> later = new ArrayList<>();
        for (Job job : jobs) {
            if (job.due() == null) {
                byQueue.computeIfAbsent(job.queue(), _ -> new ArrayList<>()).add(job.payload());
            } else {
                later.add(ascii(RedisEnqueuing.seconds(job.due())));
                later.add(job.payload());
            }
        }
        Object reply =
                connection.eval(ENQUEUE, keys(byQueue, receipt), args(byQueue, later, receipt));
        return Optional.ofNullable(reply)
                .map(text -> new String((byte[]) text, StandardCharsets.UTF_8));
    }

    private static List<byte[]> keys(Map<String, List<byte[]>> byQueue, @Nullable Receipt receipt) {
        List<byte[]> keys =
                new ArrayList<>(List.of(Keys.bytes(Keys.QUEUES), Keys.bytes(Keys.SCHEDULE)));
        byQueue.keySet().forEach(queue -> keys.add(Keys.bytes(Keys.queue(queue))));
        if (receipt != null) {
            keys.add(Keys.bytes(receipt.key()));
        }
        return keys;
    }

    private static List<byte[]> args(
            Map<String, List<byte[]>> byQueue, List<byte[]> later, @Nullable Receipt receipt) {
        List<byte[]> args = new ArrayList<>();
        args.add(receipt == null ? NONE : RedisConnection.utf8(receipt.text()));
        args.add(receipt == null ? NONE : ascii("" + receipt.kept().toSeconds()));
        args.add(ascii("" + byQueue.size()));
        byQueue.forEach((queue, payloads) -> {
            args.add(Keys.bytes(queue));
            args.add(ascii("" + payloads.size()));
            args.addAll(payloads);
        });
        args.addAll(later);
        return args;
    }
}
