package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Parking on a blocking move, with a claim behind it that Redis runs when the move is done.
/// `BRPOP` would lose the job when the connection is half open; here it only changes lists, and the
/// queue's arrivals are looked after by every claim and every sweep. A claim whose reply is lost is
/// given up by the claimer, as one of its own.
final class RedisParking implements Parking {
    private static final byte[] BLMOVE = ascii("BLMOVE");
    private static final byte[] RIGHT = ascii("RIGHT");
    private static final byte[] LEFT = ascii("LEFT");

    private final RedisConnection connection;
    private final AtomicLong tokens;
    private final Queue<ClaimScript.Lost> lost;
    private final QueueLayout layout;
    private final ClaimScript claim;

    /// @param tokens the next token, shared by all claimers of the process
    /// @param lost shared alike, safe for any thread
    RedisParking(
            RedisConnection connection,
            AtomicLong tokens,
            Queue<ClaimScript.Lost> lost,
            QueueLayout layout) {
        this.connection = connection;
        this.tokens = tokens;
        this.lost = lost;
        this.layout = layout;
        claim = new ClaimScript(layout);
    }

    @Override
    public Arrival awaitArrival(String queue, String owner, Duration wait) {
        List<String> queues = List.of(queue);
        long token = tokens.getAndIncrement();
        connection.queue(
                BLMOVE,
                Keys.bytes(layout.queue(queue)),
                Keys.bytes(layout.arrivals(queue)),
                layout.nextIsLeft() ? LEFT : RIGHT,
                layout.nextIsLeft() ? RIGHT : LEFT,
                ascii(String.format(Locale.ROOT, "%.3f", wait.toMillis() / 1_000.0)));
        claim.queue(connection, queues, owner, token, 1, RedisBroker.PAYLOAD_BYTES_MAX);
        ClaimScript.Lost mayBeLost = new ClaimScript.Lost(queues, owner, token, token + 1);
        List<@Nullable Object> replies = send(wait, mayBeLost);
        Object moved = replies.getFirst();
        if (replies.getLast() instanceof RedisFailure refusal) {
            // Half-way, perhaps.
            lost.add(mayBeLost);
            throw refusal;
        }
        Claiming.Claimed claimed = ClaimScript.read(replies.getLast(), queues, owner, token);
        if (moved instanceof RedisFailure refusal && claimed.leases().isEmpty()) {
            throw refusal;
        }
        return new Arrival(moved != null, claimed);
    }

    private List<@Nullable Object> send(Duration wait, ClaimScript.Lost mayBeLost) {
        try {
            return connection.flushBlocking(wait);
        } catch (RedisFailure failure) {
            if (failure.kind() != RedisFailure.Kind.NOT_SENT) {
                lost.add(mayBeLost);
            }
            throw failure;
        }
    }

    @Override
    public void abort() {
        // For good: what came to a wait that began only now would have nobody to wake.
        connection.retire();
    }

    @Override
    public void close() {
        connection.close();
    }
}
