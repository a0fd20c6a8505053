package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Marks of the jobs that an operator has cancelled while they were, or may have been, in a
/// process's hands. A mark goes when its job is gone. One thread's.
///
/// A mark is a job's jid. Resque's jobs have none, and two may be alike to the last byte, so there
/// it is the run's id.
public final class CancelMarks implements AutoCloseable {
    /// How long a mark is kept at least. A job that begins later may run.
    public static final Duration KEPT = Duration.ofDays(1);

    /// Most marks that are kept, since each process knows all of them.
    public static final int MARKS_MAX = 1_000;

    private static final Script MARK = Script.beside(CancelMarks.class, "mark_cancelled.lua");

    private final RedisConnection connection;
    private final String key;

    /// @param layout of the queues whose jobs the marks name
    public CancelMarks(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.key = layout.cancelled();
    }

    /// The key of the marks in Redis.
    public String key() {
        return key;
    }

    public void mark(String name) {
        Object _ =
                connection.eval(
                        MARK,
                        List.of(Keys.bytes(key)),
                        List.of(
                                RedisConnection.utf8(name),
                                ascii(Integer.toString(MARKS_MAX)),
                                ascii(Long.toString(KEPT.toSeconds()))));
    }

    public boolean isMarked(String name) {
        return connection.call("ZSCORE", key, name) != null;
    }

    public void unmark(Collection<String> names) {
        List<String> command = new ArrayList<>(List.of("ZREM", key));
        command.addAll(names);
        Object _ = connection.call(command.toArray(String[]::new));
    }

    /// All marks of this moment.
    public Set<String> names() {
        Set<String> names = new HashSet<>();
        if (connection.call("ZRANGE", key, "0", "-1") instanceof List<?> members) {
            for (Object member : members) {
                names.add(new String((byte[]) member, StandardCharsets.UTF_8));
            }
        }
        return names;
    }

    @Override
    public void close() {
        connection.close();
    }
}
