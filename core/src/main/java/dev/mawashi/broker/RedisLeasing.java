package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Leases and recovery in Redis, by its clock.
final class RedisLeasing implements Leasing {
    private static final Script LEASE = Script.beside(RedisLeasing.class, "lease.lua");
    private static final Script LAPSED = Script.beside(RedisLeasing.class, "lapsed.lua");
    private static final byte[] OPEN = ascii("open");
    private static final byte[] SUSPECT_FROM = ascii(Integer.toString(SUSPECT_CRASHES));
    private static final byte[] REMEMBERED = ascii(Long.toString(CRASHES_REMEMBERED.toSeconds()));
    private static final byte[] RENEW = ascii("renew");

    private final RedisConnection connection;
    private final QueueLayout layout;
    private final Script recover;
    private final Script giveBack;

    RedisLeasing(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
        recover = Sides.of(layout).script("recover.lua");
        giveBack = Sides.of(layout).script("give_back.lua");
    }

    @Override
    public void open(String owner, Collection<String> queues, Duration length) {
        lease(owner, queues, length, OPEN);
    }

    @Override
    public boolean renew(String owner, Collection<String> queues, Duration length) {
        return lease(owner, queues, length, RENEW);
    }

    private boolean lease(
            String owner, Collection<String> queues, Duration length, byte[] openOrRenew) {
        byte[] millis = ascii(Long.toString(length.toMillis()));
        for (String queue : queues) {
            connection.queueEval(
                    LEASE,
                    List.of(Keys.bytes(layout.leases(queue)), Keys.bytes(layout.served())),
                    List.of(Keys.bytes(owner), millis, openOrRenew, Keys.bytes(queue)));
        }
        boolean isHeld = true;
        for (Object reply : connection.flush()) {
            isHeld &= number(reply) == 1;
        }
        return isHeld;
    }

    @Override
    public int release(String owner, Collection<String> queues) {
        int jobs = 0;
        for (String queue : queues) {
            giveBackArrivals(queue);
            jobs += Math.max(0, recoverOwner(queue, owner, "release"));
        }
        return jobs;
    }

    @Override
    public List<String> servedQueues() {
        return texts(connection.call("SMEMBERS", layout.served()));
    }

    @Override
    public Recovered recover(String queue, String self) {
        giveBackArrivals(queue);
        List<byte[]> leases = List.of(Keys.bytes(layout.leases(queue)));
        List<String> owners = new ArrayList<>();
        int jobs = 0;
        for (String owner : texts(connection.eval(LAPSED, leases, List.of()))) {
            int back = owner.equals(self) ? -1 : recoverOwner(queue, owner, "lapsed");
            if (back >= 0) {
                owners.add(owner);
                jobs += back;
            }
        }
        Object suspects = connection.call("LLEN", layout.suspects(queue));
        return new Recovered(owners, jobs, number(suspects));
    }

    private void giveBackArrivals(String queue) {
        connection.eval(
                giveBack,
                List.of(Keys.bytes(layout.arrivals(queue)), Keys.bytes(layout.queue(queue))),
                List.of());
    }

    private int recoverOwner(String queue, String owner, String mode) {
        Object reply =
                connection.eval(
                        recover,
                        List.of(
                                Keys.bytes(layout.leases(queue)),
                                Keys.bytes(layout.inflight(queue, owner)),
                                Keys.bytes(layout.queue(queue)),
                                Keys.bytes(layout.crashes(queue)),
                                Keys.bytes(layout.suspects(queue))),
                        List.of(Keys.bytes(owner), ascii(mode), SUSPECT_FROM, REMEMBERED));
        return number(reply);
    }

    private static int number(@Nullable Object reply) {
        return switch (reply) {
            case Long value -> value.intValue();
            case RedisFailure refusal -> throw refusal;
            case null, default -> throw new IllegalStateException("leasing answered " + reply);
        };
    }

    private static List<String> texts(@Nullable Object reply) {
        List<String> texts = new ArrayList<>();
        for (Object value : (List<?>) java.util.Objects.requireNonNull(reply)) {
            texts.add(new String((byte[]) value, StandardCharsets.UTF_8));
        }
        return texts;
    }

    @Override
    public void close() {
        connection.close();
    }
}
