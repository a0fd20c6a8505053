package dev.mawashi.migrate;

import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.MigratedPlace;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Sidekiq's keys, and ours beside them.
record SidekiqHalf(RedisConnection connection, InstantSource clock) implements Half {
    @Override
    public List<String> ofAnApp() {
        return List.of(
                Keys.QUEUES,
                Keys.PROCESSES,
                Keys.SERVED_QUEUES,
                Keys.SCHEDULE,
                Keys.RETRY,
                Keys.DEAD,
                Keys.BATCH,
                Keys.STAT_PROCESSED);
    }

    @Override
    public String flag() {
        return "--from-namespace";
    }

    @Override
    public Found find() {
        // It is not closed, since the connection is another's.
        Stats stats = new Inspector(connection, clock).stats();
        SequencedMap<MigratedPlace, Long> jobs = new LinkedHashMap<>();
        long inFlight = 0;
        for (Stats.QueueStats queue : stats.queues()) {
            jobs.put(MigratedPlace.queue(QueueLayout.SIDEKIQ, queue.name()), queue.size());
            inFlight += queue.inFlight();
        }
        jobs.put(MigratedPlace.set(JobSet.SCHEDULE), stats.scheduled());
        jobs.put(MigratedPlace.set(JobSet.RETRY), stats.retries());
        jobs.put(MigratedPlace.set(JobSet.DEAD), stats.dead());
        return new Found(jobs, stats.processes(), inFlight);
    }

    @Override
    public List<MigratedPlace> counters() {
        return new RunCounters(connection, clock).all();
    }

    @Override
    public Settings settings(RedisConnection target, QueueLayout there) {
        return Settings.ofSidekiq(connection, target);
    }
}
