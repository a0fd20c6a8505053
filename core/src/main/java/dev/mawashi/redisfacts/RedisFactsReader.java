package dev.mawashi.redisfacts;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redisfacts.RedisFacts.Granted;
import dev.mawashi.redisfacts.RedisFacts.KeyCount;
import dev.mawashi.redisfacts.RedisFacts.KeyMemory;
import dev.mawashi.redisfacts.RedisFacts.Load;
import dev.mawashi.redisfacts.RedisFacts.Memory;
import dev.mawashi.redisfacts.RedisFacts.Persistence;
import dev.mawashi.redisfacts.RedisFacts.Replication;
import dev.mawashi.redisfacts.RedisFacts.SlowCall;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Reads what Redis says of itself, and measures how fast it answers. One thread's.
public final class RedisFactsReader implements AutoCloseable {
    private static final int PINGS = 20;
    private static final int SLOW_MAX = 20;

    /// Of more queues only so many are looked at, the first by name.
    private static final int QUEUES_MAX = 1_000;

    /// Keys whose memory is asked for, by so many of their entries each.
    private static final int LARGEST_MAX = 20;

    private static final int SAMPLES = 20;

    private static final List<String> SETS = List.of(Keys.SCHEDULE, Keys.RETRY, Keys.DEAD);

    private final RedisConnection connection;
    private final LongSupplier nanoTime;

    /// @param nanoTime a monotonic clock
    public RedisFactsReader(RedisConnection connection, LongSupplier nanoTime) {
        this.connection = connection;
        this.nanoTime = nanoTime;
    }

    /// @throws RedisFailure when Redis does not answer, or refuses `INFO`
    public RedisFacts read() {
        // Before our own pings, which a slow Redis would put into it.
        Granted<List<SlowCall>> slow = slow();
        ServerInfo info = ServerInfo.of(connection);
        List<KeyCount> keys = keys();
        String valkey = info.text("valkey_version");
        return new RedisFacts(
                valkey.isEmpty() ? info.text("redis_version") : valkey,
                info.count("uptime_in_seconds"),
                Durability.of(info, connection),
                new Memory(
                        info.count("used_memory"),
                        info.count("used_memory_peak"),
                        info.count("used_memory_rss"),
                        info.ratio("mem_fragmentation_ratio")),
                load(info),
                persistence(info),
                new Replication(
                        info.text("role"),
                        info.text("master_link_status"),
                        info.count("connected_slaves")),
                pings(),
                keys,
                allKeys(),
                largest(keys),
                slow);
    }

    private static Load load(ServerInfo info) {
        return new Load(
                info.count("connected_clients"),
                info.count("blocked_clients"),
                info.count("maxclients"),
                info.count("instantaneous_ops_per_sec"),
                info.count("keyspace_hits"),
                info.count("keyspace_misses"),
                info.count("evicted_keys"));
    }

    private static Persistence persistence(ServerInfo info) {
        List<String> troubles = new ArrayList<>();
        for (String field :
                List.of(
                        "rdb_last_bgsave_status",
                        "aof_last_bgrewrite_status",
                        "aof_last_write_status")) {
            if (info.text(field).equals("err")) {
                troubles.add(field);
            }
        }
        return new Persistence(
                info.count("rdb_last_save_time"),
                info.count("rdb_changes_since_last_save"),
                info.count("aof_rewrite_in_progress") > 0,
                troubles);
    }

    private List<Long> pings() {
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < PINGS; i++) {
            long began = nanoTime.getAsLong();
            connection.call("PING");
            nanos.add(nanoTime.getAsLong() - began);
        }
        nanos.sort(Comparator.naturalOrder());
        return nanos;
    }

    /// Sets first, then queues by their depth.
    private List<KeyCount> keys() {
        List<String> queues =
                texts(connection.call("SMEMBERS", Keys.QUEUES)).stream()
                        .sorted()
                        .limit(QUEUES_MAX)
                        .map(Keys::queue)
                        .toList();
        SETS.forEach(set -> queue("ZCARD", set));
        queues.forEach(key -> queue("LLEN", key));
        List<@Nullable Object> sizes = connection.flush();
        List<KeyCount> counts = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            String key = i < SETS.size() ? SETS.get(i) : queues.get(i - SETS.size());
            if (sizes.get(i) instanceof Long entries) {
                counts.add(new KeyCount(key, entries));
            }
        }
        counts.sort(Comparator.comparingLong(KeyCount::entries).reversed());
        return counts;
    }

    private long allKeys() {
        queue("DBSIZE");
        return connection.flush().getFirst() instanceof Long keys ? keys : -1;
    }

    private Granted<List<KeyMemory>> largest(List<KeyCount> keys) {
        List<KeyCount> asked =
                keys.stream().filter(key -> key.entries() > 0).limit(LARGEST_MAX).toList();
        if (asked.isEmpty()) {
            return Granted.of(List.of());
        }
        asked.forEach(key -> queue("MEMORY", "USAGE", key.key(), "SAMPLES", "" + SAMPLES));
        List<@Nullable Object> replies = connection.flush();
        List<KeyMemory> largest = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            switch (replies.get(i)) {
                case Long bytes -> largest.add(new KeyMemory(asked.get(i).key(), bytes));
                case RedisFailure refused -> {
                    return Granted.refused(refused.reason());
                }
                case null, default -> {
                    // It has gone since it was counted.
                }
            }
        }
        largest.sort(Comparator.comparingLong(KeyMemory::bytes).reversed());
        return Granted.of(List.copyOf(largest));
    }

    private Granted<List<SlowCall>> slow() {
        queue("SLOWLOG", "GET", "" + SLOW_MAX);
        Object reply = connection.flush().getFirst();
        if (reply instanceof RedisFailure refused) {
            return Granted.refused(refused.reason());
        }
        List<SlowCall> calls = new ArrayList<>();
        if (reply instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof List<?> parts && parts.size() >= 4) {
                    String command = SlowCommand.shown(texts(parts.get(3)));
                    calls.add(new SlowCall(number(parts.get(1)), number(parts.get(2)), command));
                }
            }
        }
        return Granted.of(List.copyOf(calls));
    }

    private void queue(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = RedisConnection.utf8(words[i]);
        }
        connection.queue(command);
    }

    private static long number(@Nullable Object reply) {
        return reply instanceof Long number ? number : 0;
    }

    private static List<String> texts(@Nullable Object reply) {
        List<String> texts = new ArrayList<>();
        if (reply instanceof List<?> values) {
            for (Object value : values) {
                texts.add(
                        value instanceof byte[] bytes
                                ? new String(bytes, StandardCharsets.UTF_8)
                                : "");
            }
        }
        return texts;
    }

    @Override
    public void close() {
        connection.close();
    }
}
