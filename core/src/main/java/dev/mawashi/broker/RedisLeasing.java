package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
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
    private static final Script RECOVER = Script.beside(RedisLeasing.class, "recover.lua");
    private static final Script GIVE_BACK = Script.beside(RedisLeasing.class, "give_back.lua");
    private static final byte[] OPEN = ascii("open");
    private static final byte[] SUSPECT_FROM = ascii(Integer.toString(SUSPECT_CRASHES));
    private static final byte[] REMEMBERED = ascii(Long.toString(CRASHES_REMEMBERED.toSeconds()));
    private static final byte[] RENEW = ascii("renew");

    private final RedisConnection connection;

    RedisLeasing(RedisConnection connection) {
        this.connection = connection;
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
                    List.of(Keys.bytes(Keys.leases(queue)), Keys.bytes(Keys.SERVED_QUEUES)),
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
        return texts(connection.call("SMEMBERS", Keys.SERVED_QUEUES));
    }

    @Override
    public Recovered recover(String queue, String self) {
        giveBackArrivals(queue);
        List<byte[]> leases = List.of(Keys.bytes(Keys.leases(queue)));
        List<String> owners = new ArrayList<>();
        int jobs = 0;
        for (String owner : texts(connection.eval(LAPSED, leases, List.of()))) {
            int back = owner.equals(self) ? -1 : recoverOwner(queue, owner, "lapsed");
            if (back >= 0) {
                owners.add(owner);
                jobs += back;
            }
        }
        Object suspects = connection.call("LLEN", Keys.suspects(queue));
        return new Recovered(owners, jobs, number(suspects));
    }

    private void giveBackArrivals(String queue) {
        connection.eval(
                GIVE_BACK,
                List.of(Keys.bytes(Keys.arrivals(queue)), Keys.bytes(Keys.queue(queue))),
                List.of());
    }

    private int recoverOwner(String queue, String owner, String mode) {
        Object reply =
                connection.eval(
                        RECOVER,
                        List.of(
                                Keys.bytes(Keys.leases(queue)),
                                Keys.bytes(Keys.inflight(queue, owner)),
                                Keys.bytes(Keys.queue(queue)),
                                Keys.bytes(Keys.crashes(queue)),
                                Keys.bytes(Keys.suspects(queue))),
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
