package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.Locale;

/// Parking on a blocking move. `BRPOP` would lose the job when the connection is half open; here it
/// only changes lists, and the queue's arrivals are looked after by every claim and every sweep.
final class RedisParking implements Parking {
    private static final byte[] BLMOVE = ascii("BLMOVE");
    private static final byte[] RIGHT = ascii("RIGHT");
    private static final byte[] LEFT = ascii("LEFT");

    private final RedisConnection connection;
    private final QueueLayout layout;

    RedisParking(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
    }

    @Override
    public boolean awaitArrival(String queue, Duration wait) {
        byte[] seconds = ascii(String.format(Locale.ROOT, "%.3f", wait.toMillis() / 1_000.0));
        return connection.callBlocking(
                        wait,
                        BLMOVE,
                        Keys.bytes(layout.queue(queue)),
                        Keys.bytes(layout.arrivals(queue)),
                        layout.nextIsLeft() ? LEFT : RIGHT,
                        layout.nextIsLeft() ? RIGHT : LEFT,
                        seconds)
                != null;
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
