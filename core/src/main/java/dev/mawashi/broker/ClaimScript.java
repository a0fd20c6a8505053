package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// claim.lua: its keys and arguments, and what it answers. One thread's at a time.
final class ClaimScript {
    private static final byte[] LARGEST = ascii(Integer.toString(RedisBroker.PAYLOAD_BYTES_MAX));

    private final QueueLayout layout;
    private final Script script;
    private List<String> keysFor = List.of();
    private String keysOwner = "";
    private List<byte[]> keys = List.of();

    /// A claim that may have taken jobs and did not say which.
    record Lost(List<String> queues, String owner, long firstToken, long nextToken) {}

    ClaimScript(QueueLayout layout) {
        this.layout = layout;
        script = Sides.of(layout).script("claim.lua");
    }

    /// Puts a claim into the connection's next flush.
    void queue(
            RedisConnection connection,
            List<String> queues,
            String owner,
            long firstToken,
            int most,
            int mostBytes) {
        connection.queueEval(
                script,
                keys(queues, owner),
                List.of(
                        Keys.bytes(owner),
                        ascii(Long.toString(firstToken)),
                        ascii(Integer.toString(most)),
                        ascii(Integer.toString(mostBytes)),
                        LARGEST));
    }

    private List<byte[]> keys(List<String> queues, String owner) {
        if (queues.equals(keysFor) && owner.equals(keysOwner)) {
            return keys;
        }
        List<byte[]> fresh = new ArrayList<>(1 + 4 * queues.size());
        fresh.add(Keys.bytes(layout.oversized()));
        for (String queue : queues) {
            fresh.add(Keys.bytes(layout.queue(queue)));
            fresh.add(Keys.bytes(layout.arrivals(queue)));
            fresh.add(Keys.bytes(layout.inflight(queue, owner)));
            fresh.add(Keys.bytes(layout.leases(queue)));
        }
        keysFor = List.copyOf(queues);
        keysOwner = owner;
        keys = fresh;
        return fresh;
    }

    static Claiming.Claimed read(
            @Nullable Object reply, List<String> queues, String owner, long firstToken) {
        if (!(reply instanceof List<?> values)) {
            throw new IllegalStateException("claim.lua answered " + reply);
        }
        List<Lease> leases = new ArrayList<>(values.size());
        long token = firstToken;
        int at = 3;
        while (at < values.size()) {
            String queue = queues.get(number(values.get(at)));
            int end = at + 2 + number(values.get(at + 1));
            for (at += 2; at < end; at++) {
                leases.add(new Lease(queue, owner, token++, (byte[]) values.get(at)));
            }
        }
        boolean isFenced = number(values.get(0)) > 0;
        return new Claiming.Claimed(leases, isFenced, number(values.get(1)), number(values.get(2)));
    }

    static int number(Object reply) {
        return ((Long) reply).intValue();
    }
}
