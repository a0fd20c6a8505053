package dev.mawashi.migrate;

import dev.mawashi.redis.KeyScan;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;

/// A look at all keys for jobs in hand of processes.
record Strays(RedisConnection connection, QueueLayout layout) {
    boolean areNone() {
        return !new KeyScan(connection, layout.anyOfOurs())
                .any(key -> key.contains("}:inflight:") || key.contains("}:arrivals"));
    }
}
