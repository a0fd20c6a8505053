package dev.mawashi.broker;

import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;

/// Which queues there are in a Resque namespace, whether all are paused, and when that changes. One
/// thread's, but for `wake`.
public final class ResqueWatch implements Session {
    /// How often to look when Redis cannot tell of changes.
    private static final Duration POLL = Duration.ofSeconds(1);

    private final RedisConnection connection;
    private final KeyWatch watch;
    private final ResqueKeys keys;
    private boolean isWatched;

    /// What was seen.
    ///
    /// @param queues their names, sorted
    public record Seen(List<String> queues, boolean isPaused) {
        public Seen {
            queues = List.copyOf(queues);
        }
    }

    ResqueWatch(RedisConnection connection, RedisConnection watching, ResqueKeys keys) {
        this.connection = connection;
        this.watch = new KeyWatch("queues", watching);
        this.keys = keys;
    }

    public Seen look() {
        isWatched = watch.track(connection);
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

    /// Waits until either changed since the last `look`, or the wait is over.
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
