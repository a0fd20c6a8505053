package dev.mawashi.tables;

import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisConnection;
import java.time.Duration;

/// Keys that are read now and again, and whose changes Redis reports. One thread's, but for `wake`.
public abstract class Watched implements AutoCloseable {
    private final RedisConnection connection;
    private final KeyWatch watch;

    Watched(String name, RedisConnection connection, RedisConnection watching) {
        this.connection = connection;
        this.watch = new KeyWatch(name, watching);
    }

    /// The connection. Redis reports changes of all that it reads from now on.
    final RedisConnection tracked() {
        watch.track(connection);
        return connection;
    }

    final RedisConnection connection() {
        return connection;
    }

    /// Waits until something that was read last has changed, or the wait is over.
    public final void awaitChange(Duration wait) {
        watch.awaitOrPoll(wait);
    }

    /// Ends a wait from another thread.
    public final void wake() {
        watch.wake();
    }

    @Override
    public final void close() {
        watch.close();
        connection.close();
    }
}
