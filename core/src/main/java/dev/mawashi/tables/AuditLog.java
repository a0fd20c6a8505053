package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;
import static dev.mawashi.redis.RedisConnection.utf8;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The records of operators' changes, the newest first. One thread's.
public final class AuditLog {
    /// Most lines that are kept.
    public static final int LINES_MAX = 1_000;

    /// How long they are kept after the last one.
    public static final Duration KEPT = Duration.ofDays(90);

    private static final Script WRITE = Script.beside(AuditLog.class, "audit.lua");

    private final RedisConnection connection;

    public AuditLog(RedisConnection connection) {
        this.connection = connection;
    }

    /// Adds a line.
    ///
    /// @param before the line that it stands for; "" for none
    public void write(String line, String before) {
        connection.eval(
                WRITE,
                List.of(Keys.bytes(Keys.AUDIT)),
                List.of(
                        utf8(line),
                        utf8(before),
                        ascii("" + LINES_MAX),
                        ascii("" + KEPT.toSeconds())));
    }

    /// Gives up commands that wait in the connection, and replies that nobody has read.
    public void connectAnew() {
        connection.close();
    }

    /// The newest lines.
    public List<String> newest(int most) {
        List<String> lines = new ArrayList<>();
        if (connection.call("LRANGE", Keys.AUDIT, "0", "" + (most - 1)) instanceof List<?> found) {
            for (Object line : found) {
                lines.add(new String((byte[]) line, StandardCharsets.UTF_8));
            }
        }
        return lines;
    }
}
