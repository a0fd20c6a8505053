package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;

/// Watches the queues of a Resque namespace and the pause of all of them. One thread's, but for
/// `wake`.
public final class ResqueWatch extends Watched {
    private final ResqueKeys keys;

    /// The state that a look saw.
    ///
    /// @param queues their names, sorted
    public record Seen(List<String> queues, boolean isPaused) {
        public Seen {
            queues = List.copyOf(queues);
        }
    }

    public ResqueWatch(RedisConnection connection, RedisConnection watching, ResqueKeys keys) {
        super("queues", connection, watching);
        this.keys = keys;
    }

    public Seen read() {
        RedisConnection connection = tracked();
        TreeSet<String> names = new TreeSet<>();
        List<?> members =
                (List<?>) Objects.requireNonNull(connection.call("SMEMBERS", keys.queues()));
        for (Object member : members) {
            names.add(text(member));
        }
        Object pause = connection.call("GET", keys.pauseAll());
        boolean isPaused =
                pause != null && text(pause).strip().toLowerCase(Locale.ROOT).equals("true");
        return new Seen(List.copyOf(names), isPaused);
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }
}
