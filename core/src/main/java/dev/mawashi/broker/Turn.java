package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Decides which of several processes looks at a schedule. If each of them did, a fleet would look
/// as many times at each change as it has processes.
///
/// The turn is a key that expires. The process that has it renews it long before; once the key has
/// expired, since that process died or hangs, any other takes the turn. A process that stops leaves
/// the turn and says so with a second key, which the others watch. None of them reads the first
/// key, or Redis would report each renewal. Two processes that look at the same time, for a moment,
/// do no harm.
///
/// One thread's.
public final class Turn {
    private static final Duration LENGTH = Duration.ofSeconds(3);
    private static final byte[] LENGTH_MS = ascii(Long.toString(LENGTH.toMillis()));
    private static final byte[] LEFT_MS = ascii("1000");
    private static final byte[] SET = ascii("SET");
    private static final byte[] EXISTS = ascii("EXISTS");
    private static final byte[] DEL = ascii("DEL");
    private static final byte[] PEXPIRE = ascii("PEXPIRE");
    private static final byte[] NEW = ascii("NX");
    private static final byte[] PRESENT = ascii("XX");
    private static final byte[] PX = ascii("PX");
    private static final byte[] ANY = ascii("1");

    private final RedisConnection connection;
    private final byte[] key;
    private final byte[] left;
    private boolean isOurs;
    private long untilNanos = System.nanoTime();

    /// @param connection whose reads are watched
    /// @param key there while a process has the turn
    /// @param left there for a moment after a process has left it
    Turn(RedisConnection connection, String key, String left) {
        this.connection = connection;
        this.key = Keys.bytes(key);
        this.left = Keys.bytes(left);
    }

    /// Takes or keeps the turn.
    ///
    /// @return whether it is ours; also where this user may have no turn
    public boolean take() {
        long now = System.nanoTime();
        boolean wasOurs = isOurs && untilNanos - now > 0;
        if (wasOurs && untilNanos - now > LENGTH.toNanos() / 2) {
            return true;
        }
        isOurs = (wasOurs && renew()) || takeFree();
        untilNanos = now + LENGTH.toNanos();
        return isOurs;
    }

    private boolean renew() {
        connection.queue(SET, key, ANY, PRESENT, PX, LENGTH_MS);
        // A refusal is an answer too: whoever may have no turn goes on without one.
        return connection.flush().getFirst() != null;
    }

    private boolean takeFree() {
        // Read before the turn is tried, so that no leaving is missed.
        connection.queue(EXISTS, left);
        connection.queue(SET, key, ANY, NEW, PX, LENGTH_MS);
        // A key without an end, which is none of ours, would keep everybody from the turn for ever.
        connection.queue(PEXPIRE, key, LENGTH_MS, NEW);
        List<@Nullable Object> replies = connection.flush();
        return replies.get(1) != null;
    }

    boolean isOurs() {
        return isOurs;
    }

    /// How long until `take` is to be called again, at the latest: in time to keep the turn, or
    /// else to see whether it is free.
    public Duration untilNextTake() {
        long half = LENGTH.toMillis() / 2;
        long more = isOurs ? 0 : ThreadLocalRandom.current().nextLong(half);
        return Duration.ofMillis(half + more);
    }

    /// Lets others have the turn at once.
    public void leave() {
        if (isOurs && untilNanos - System.nanoTime() > 0) {
            try {
                connection.queue(DEL, key);
                connection.queue(SET, left, ANY, PX, LEFT_MS);
                connection.flush();
            } catch (RedisFailure _) {
                // The key expires.
            }
        }
        isOurs = false;
    }
}
