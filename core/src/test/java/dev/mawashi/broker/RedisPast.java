package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;
import static dev.mawashi.redis.RedisConnection.utf8;
import static java.util.Objects.requireNonNull;

import dev.mawashi.redis.RedisConnection;
import java.util.ArrayList;
import java.util.List;

/// Has a real Redis go back in time, without the time that a restart takes.
final class RedisPast {
    private final RedisConnection redis;
    private final List<Entry> saved = new ArrayList<>();

    private record Entry(byte[] key, byte[] dump, long ttlMillis) {}

    RedisPast(RedisConnection redis) {
        this.redis = redis;
    }

    void save() {
        saved.clear();
        for (Object key : (List<?>) requireNonNull(redis.call("KEYS", "*"))) {
            byte[] name = (byte[]) requireNonNull(key);
            // One whose time is up meanwhile has neither.
            if (redis.call(ascii("DUMP"), name) instanceof byte[] dump
                    && redis.call(ascii("PTTL"), name) instanceof Long ttl) {
                saved.add(new Entry(name, dump, Math.max(0, ttl)));
            }
        }
    }

    /// As who was a replica for a moment it has another replication id.
    void goBack() {
        redis.call("FLUSHALL");
        for (Entry one : saved) {
            byte[] ttl = utf8(Long.toString(one.ttlMillis()));
            redis.call(ascii("RESTORE"), one.key(), ttl, one.dump());
        }
        redis.call("DEBUG", "CHANGE-REPL-ID");
    }
}
