package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
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
        queue("MULTI");
        queue("LPUSH", key, signal);
        queue("EXPIRE", key, TTL_SECONDS);
        queue("EXEC");
        for (Object reply : connection.flush()) {
            if (reply instanceof RedisFailure refusal) {
                throw refusal;
            }
        }
    }

    private void queue(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = RedisConnection.utf8(words[i]);
        }
        connection.queue(command);
    }

    @Override
    public void close() {
        connection.close();
    }
}
