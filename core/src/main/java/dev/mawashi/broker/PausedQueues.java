package dev.mawashi.broker;

import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The set in Redis with the names of paused queues, Sidekiq Pro's, and when it changes. One
/// thread's, but for `wake`.
public final class PausedQueues implements Session {
    /// How often to look when Redis cannot tell of changes.
    private static final Duration POLL = Duration.ofSeconds(1);

    private final RedisConnection connection;
    private final KeyWatch watch;
    private boolean isWatched;

    PausedQueues(RedisConnection connection, RedisConnection watching) {
        this.connection = connection;
        this.watch = new KeyWatch("pause", watching);
    }

    /// Their names now.
    public Set<String> names() {
        isWatched = watch.track(connection);
        Set<String> names = new HashSet<>();
        if (connection.call("SMEMBERS", Keys.PAUSED) instanceof List<?> members) {
            for (Object member : members) {
                names.add(new String((byte[]) member, StandardCharsets.UTF_8));
            }
        }
        return names;
    }

    /// Waits until the set changed since the last `names`, or the wait is over.
    public void awaitChange(Duration wait) {
        watch.await(isWatched || wait.compareTo(POLL) < 0 ? wait : POLL);
    }

    /// Ends a wait from another thread.
    public void wake() {
        watch.wake();
    }

    @Override
    public void close() {
        watch.close();
        connection.close();
    }
}
