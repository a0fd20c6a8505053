package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The jobs that an operator has cancelled while they were, or may have been, in a process's hands,
/// and when they change. A mark goes when its job is gone. One thread's, but for `wake`.
public final class CancelMarks extends Watched {
    /// A job that has not begun for so long is not found by its mark any more.
    public static final Duration KEPT = Duration.ofDays(1);

    /// Each process knows all of them.
    public static final int MARKS_MAX = 1_000;

    private static final Script MARK = Script.beside(CancelMarks.class, "mark_cancelled.lua");

    CancelMarks(RedisConnection connection, RedisConnection watching) {
        super("cancel", connection, watching);
    }

    public void mark(String jid) {
        Object _ =
                connection()
                        .eval(
                                MARK,
                                List.of(Keys.bytes(Keys.CANCELLED)),
                                List.of(
                                        RedisConnection.utf8(jid),
                                        ascii(Integer.toString(MARKS_MAX)),
                                        ascii(Long.toString(KEPT.toSeconds()))));
    }

    public boolean isMarked(String jid) {
        return connection().call("ZSCORE", Keys.CANCELLED, jid) != null;
    }

    public void unmark(Collection<String> jids) {
        List<String> command = new ArrayList<>(List.of("ZREM", Keys.CANCELLED));
        command.addAll(jids);
        Object _ = connection().call(command.toArray(String[]::new));
    }

    /// All that are marked now; from now on changes are told.
    public Set<String> jids() {
        Set<String> jids = new HashSet<>();
        if (tracked().call("ZRANGE", Keys.CANCELLED, "0", "-1") instanceof List<?> members) {
            for (Object member : members) {
                jids.add(new String((byte[]) member, StandardCharsets.UTF_8));
            }
        }
        return jids;
    }
}
