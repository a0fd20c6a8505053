package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Parking on a blocking move. `BRPOP` would lose the job when the connection is half open; here it
/// only changes lists, and what came while nobody heard of it is found by the next claim, or by
/// whoever recovers the owner.
final class RedisParking implements Parking {
    private static final byte[] BLMOVE = ascii("BLMOVE");
    private static final byte[] RIGHT = ascii("RIGHT");
    private static final byte[] LEFT = ascii("LEFT");

    private final RedisConnection connection;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final QueueLayout layout;
    private final OwnGiveBack giveBack;

    RedisParking(
            RedisConnection connection,
            Holdings holdings,
            ArrivalLists arrivals,
            QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        this.arrivals = arrivals;
        this.layout = layout;
        giveBack = new OwnGiveBack(connection, holdings, arrivals, layout);
    }

    @Override
    public Arrival awaitArrival(String queue, String owner, Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        if (!arrivals.park(queue, wait)) {
            return Arrival.NONE;
        }
        Object payload = null;
        boolean isAnswered = false;
        try {
            if (arrivals.isDoubtful(queue)) {
                giveBack.all(queue, owner);
            }
            connection.connect();
            payload = moveUntil(end, queue, owner);
            isAnswered = !(payload instanceof RedisCalls.Unread);
        } finally {
            if (!(payload instanceof byte[])) {
                arrivals.leave(queue, isAnswered);
            }
        }
        if (payload instanceof byte[] bytes) {
            return new Arrival.Job(new Lease(queue, owner, holdings.reserve(1), bytes));
        }
        return payload instanceof RedisCalls.Unread ? Arrival.LARGE : Arrival.NONE;
    }

    /// For what is left of the wait, which must be over before the lease is.
    private @Nullable Object moveUntil(long end, String queue, String owner) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        // Redis takes 0 for a wait without an end.
        return left.toMillis() > 0 ? move(queue, owner, left) : null;
    }

    private @Nullable Object move(String queue, String owner, Duration wait) {
        byte[] seconds = ascii(String.format(Locale.ROOT, "%.3f", wait.toMillis() / 1_000.0));
        return RedisCalls.callBlocking(
                connection,
                wait,
                BYTES_MAX,
                BLMOVE,
                Keys.bytes(layout.queue(queue)),
                Keys.bytes(layout.arrivals(queue, owner)),
                layout.nextIsLeft() ? LEFT : RIGHT,
                layout.nextIsLeft() ? RIGHT : LEFT,
                seconds);
    }

    @Override
    public void begin(Arrival.Job job) {
        arrivals.begin(job.lease());
    }

    @Override
    public void leave(Arrival.Job job) {
        holdings.gaveUp(job.lease().token());
        arrivals.leave(job.lease().queue(), false);
    }

    @Override
    public void giveBack(String queue, String owner) {
        giveBack.all(queue, owner);
    }

    @Override
    public void abort() {
        // For good: a job that came to a wait which began only now would wake nobody.
        connection.retire();
    }

    @Override
    public void close() {
        connection.close();
    }
}
