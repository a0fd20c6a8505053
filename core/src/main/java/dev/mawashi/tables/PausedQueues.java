package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The set in Redis with the names of paused queues, Sidekiq Pro's. One thread's.
public final class PausedQueues {
    private final RedisConnection connection;

    public PausedQueues(RedisConnection connection) {
        this.connection = connection;
    }

    /// Their names now.
    public Set<String> names() {
        Set<String> names = new HashSet<>();
        if (connection.call("SMEMBERS", Keys.PAUSED) instanceof List<?> members) {
            for (Object member : members) {
                names.add(new String((byte[]) member, StandardCharsets.UTF_8));
            }
        }
        return names;
    }
}
