package dev.mawashi.migrate;

import dev.mawashi.figures.InFlightCounts;
import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.MigratedPlace;
import dev.mawashi.tables.MigrationSource;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The keys of a Resque and its scheduler, and ours beside them.
record ResqueHalf(RedisConnection connection, ResqueKeys keys) implements Half {
    private static final int TOGETHER = 50;

    @Override
    public List<String> ofAnApp() {
        return List.of(
                keys.queues(),
                keys.workers(),
                keys.failed(),
                keys.failedQueues(),
                keys.delayedSchedule(),
                keys.statProcessed(),
                keys.layout().served(),
                Keys.BATCH);
    }

    @Override
    public String flag() {
        return "--resque-namespace";
    }

    @Override
    public Found find() {
        QueueLayout layout = keys.layout();
        TreeSet<String> queues = new TreeSet<>(members(keys.queues()));
        queues.addAll(members(layout.served()));
        SequencedMap<MigratedPlace, Long> jobs = new LinkedHashMap<>();
        queues.forEach(queue -> put(jobs, MigratedPlace.queue(layout, queue)));
        TreeSet<String> lists = new TreeSet<>(members(keys.failedQueues()));
        lists.add("failed");
        lists.forEach(list -> put(jobs, MigratedPlace.failed(keys, list)));
        put(jobs, MigratedPlace.delayed(keys));
        put(jobs, MigratedPlace.oversized(keys));
        ResqueProcesses processes = ResqueProcesses.read(connection, keys);
        return new Found(jobs, processes.alive(), processes.runs() + aside(List.copyOf(queues)));
    }

    /// A place of a wrong type is reported when it is to be moved.
    private void put(SequencedMap<MigratedPlace, Long> jobs, MigratedPlace place) {
        long size;
        try {
            size = new MigrationSource(connection).size(place);
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            size = 0;
        }
        jobs.put(place, size);
    }

    /// Jobs of ours beside queues: in flight, and suspects.
    private long aside(List<String> queues) {
        long sum = 0;
        for (int from = 0; from < queues.size(); from += TOGETHER) {
            List<String> some = queues.subList(from, Math.min(from + TOGETHER, queues.size()));
            for (String queue : some) {
                RedisCalls.queue(connection, "ZRANGE", keys.layout().leases(queue), "0", "-1");
                RedisCalls.queue(connection, "LLEN", keys.layout().suspects(queue));
            }
            List<@Nullable Object> replies = connection.flush();
            List<List<String>> owners = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                owners.add(texts(replies.get(2 * i)));
                sum += replies.get(2 * i + 1) instanceof Long count ? count : 0;
            }
            for (long count : new InFlightCounts(connection, keys.layout()).of(some, owners)) {
                sum += count;
            }
        }
        return sum;
    }

    private List<String> members(String key) {
        return texts(connection.call("SMEMBERS", key));
    }

    static List<String> texts(@Nullable Object reply) {
        List<String> texts = new ArrayList<>();
        if (reply instanceof List<?> all) {
            all.forEach(one -> texts.add(text(one)));
        }
        return texts;
    }

    static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    /// Those of all runs; of a worker they go with it.
    @Override
    public List<MigratedPlace> counters() {
        return List.of(
                MigratedPlace.count(keys.layout(), keys.statProcessed()),
                MigratedPlace.count(keys.layout(), keys.statFailed()));
    }

    @Override
    public Settings settings(RedisConnection target, QueueLayout there) {
        return Settings.ofResque(connection, target, keys, ResqueKeys.ofQueues(there.prefix()));
    }
}
