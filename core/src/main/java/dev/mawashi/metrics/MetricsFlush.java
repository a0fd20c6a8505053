package dev.mawashi.metrics;

import dev.mawashi.event.Outage;
import dev.mawashi.figures.MetricsBatch;
import dev.mawashi.figures.MetricsBatch.ClassRuns;
import dev.mawashi.figures.MetricsTable;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Adds what the slots have counted to Sidekiq's metrics, and by runner beside them, each five
/// seconds and at the end. As in Sidekiq, a run counts in the minute in which it is added.
///
/// With them go the waits of what was claimed, which an attempt that fails loses.
///
/// What was gathered is sent in the same batches until Redis has answered for it, and a batch that
/// an unanswered attempt has added is not added again. Nothing more is gathered meanwhile: the
/// slots go on counting, in the same room.
public final class MetricsFlush implements Service {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final MetricsTable table;
    private final RunTallies tallies;
    private final InstantSource clock;
    private final Outage outage;
    private final Loop loop;
    private final Deque<MetricsBatch> pending = new ArrayDeque<>();
    private long lastNumber;

    public MetricsFlush(
            MetricsTable table, RunTallies tallies, InstantSource clock, Outage outage) {
        this.table = table;
        this.tallies = tallies;
        this.clock = clock;
        this.outage = outage;
        loop = Loop.platform("metrics", this::step).farewell(this::leave);
    }

    @Override
    public void start() {
        loop.start();
    }

    /// The first time there is nothing yet.
    private Duration step() {
        flush();
        return PAUSE;
    }

    /// Sends what is pending, then what has come since.
    void flush() {
        try {
            send();
            gather();
            send();
            table.addWaits(clock.instant(), tallies.waits().take());
        } catch (RedisFailure failure) {
            outage.down("metrics are not written: " + failure.reason());
        } catch (RuntimeException defect) {
            outage.failed("metrics", defect);
        }
    }

    private void gather() {
        Instant now = clock.instant();
        tallies.take().forEach((runner, runs) -> gather(now, runner, runs));
    }

    private void gather(Instant now, String runner, List<ClassRuns> runs) {
        for (int from = 0; from < runs.size(); from += MetricsBatch.CLASSES_MAX) {
            int to = Math.min(from + MetricsBatch.CLASSES_MAX, runs.size());
            lastNumber++;
            pending.add(new MetricsBatch(lastNumber, now, runner, runs.subList(from, to)));
        }
    }

    private void send() {
        while (!pending.isEmpty()) {
            table.add(pending.getFirst());
            pending.removeFirst();
            outage.up();
        }
    }

    private void leave() {
        flush();
        try {
            table.leave();
        } catch (RedisFailure failure) {
            // What it remembers of the last batch expires by itself.
            outage.down(failure.reason());
        }
        table.close();
    }

    /// Adds the last counts. What Redis does not take now is lost, as it is in a crash.
    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
