package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;

/// The queues of a Resque namespace and the pause of all of them. One thread's.
public final class ResqueWatch {
    private final RedisConnection connection;
    private final ResqueKeys keys;

    /// The state that a look saw.
    ///
    /// @param queues their names, sorted
    public record Seen(List<String> queues, boolean isPaused) {
        public Seen {
            queues = List.copyOf(queues);
        }
    }

    public ResqueWatch(RedisConnection connection, ResqueKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    public Seen read() {
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
