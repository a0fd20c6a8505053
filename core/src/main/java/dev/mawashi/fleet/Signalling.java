package dev.mawashi.fleet;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;

/// Sends signals to processes through Redis, as Sidekiq's page does: a process takes one at each
/// beat. One thread's.
public final class Signalling implements AutoCloseable {
    private static final String TTL_SECONDS = "60";

    private final RedisConnection connection;

    public Signalling(RedisConnection connection) {
        this.connection = connection;
    }

    /// @param signal `TSTP`, `TERM` or `TTIN`
    public void send(String identity, String signal) {
        String key = Keys.signals(identity);
        RedisCalls.queue(connection, "MULTI");
        RedisCalls.queue(connection, "LPUSH", key, signal);
        RedisCalls.queue(connection, "EXPIRE", key, TTL_SECONDS);
        RedisCalls.queue(connection, "EXEC");
        RedisCalls.flush(connection);
    }

    @Override
    public void close() {
        connection.close();
    }
}
