package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The set in Redis with the names of paused queues, Sidekiq Pro's, and when it changes. One
/// thread's, but for `wake`.
public final class PausedQueues extends Watched {
    public PausedQueues(RedisConnection connection, RedisConnection watching) {
        super("pause", connection, watching);
    }

    /// Their names now.
    public Set<String> names() {
        Set<String> names = new HashSet<>();
        if (tracked().call("SMEMBERS", Keys.PAUSED) instanceof List<?> members) {
            for (Object member : members) {
                names.add(new String((byte[]) member, StandardCharsets.UTF_8));
            }
        }
        return names;
    }
}
