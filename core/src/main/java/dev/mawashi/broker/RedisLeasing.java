package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Leases in Redis, by its clock.
final class RedisLeasing implements Leasing {
    private static final Script LEASE = Script.beside(RedisLeasing.class, "lease.lua");
    private static final Script GIVE_UP = Script.beside(RedisLeasing.class, "give_up.lua");
    private static final byte[] OPEN = ascii("open");
    private static final byte[] RENEW = ascii("renew");
    private static final byte[][] INFO = {ascii("INFO"), ascii("server"), ascii("replication")};

    private final RedisConnection connection;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final QueueLayout layout;
    private final Comparison comparison;
    private final ServedQueues served;
    private final RedisRecovery recovery;
    private int generation;
    private String server = "";

    RedisLeasing(
            RedisConnection connection,
            Holdings holdings,
            ArrivalLists arrivals,
            QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        this.arrivals = arrivals;
        this.layout = layout;
        comparison = new Comparison(new RedisInFlight(connection, layout), holdings);
        served = new ServedQueues(connection, layout);
        recovery = new RedisRecovery(connection, layout, served);
    }

    @Override
    public Kept open(String owner, Collection<String> queues, Duration length) {
        return lease(owner, queues, length, OPEN);
    }

    @Override
    public Kept renew(String owner, Collection<String> queues, Duration length) {
        return lease(owner, queues, length, RENEW);
    }

    /// What was found unleased before is so no more. What is found meanwhile may be so still.
    private Kept lease(
            String owner, Collection<String> queues, Duration length, byte[] openOrRenew) {
        Set<String> unleased = new HashSet<>(arrivals.unleased());
        Kept kept = send(owner, queues, length, openOrRenew);
        if (!kept.isFenced()) {
            unleased.retainAll(queues);
            unleased.removeAll(kept.refused().keySet());
            arrivals.leased(unleased);
        }
        return kept;
    }

    private Kept send(
            String owner, Collection<String> queues, Duration length, byte[] openOrRenew) {
        byte[] millis = ascii(Long.toString(length.toMillis()));
        List<List<String>> parts = ServedQueues.parts(queues);
        for (List<String> some : parts) {
            List<byte[]> keys = new ArrayList<>(List.of(Keys.bytes(layout.served())));
            List<byte[]> args = new ArrayList<>(List.of(Keys.bytes(owner), millis, openOrRenew));
            for (String queue : some) {
                keys.add(Keys.bytes(layout.leases(queue)));
                keys.add(Keys.bytes(layout.recovered(queue)));
                args.add(Keys.bytes(queue));
            }
            connection.queueEval(LEASE, keys, args);
        }
        connection.queue(INFO);
        List<@Nullable Object> replies = connection.flush();
        boolean isFenced = false;
        boolean isLost = false;
        Map<String, String> refused = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            List<?> reply = Replies.list(replies.get(i));
            isFenced |= Replies.number(reply.get(0)) > 0;
            isLost |= Replies.number(reply.get(1)) > 0;
            for (int at = 2; at < reply.size(); at += 2) {
                String queue = parts.get(i).get(Replies.number(reply.get(at)));
                refused.put(queue, Replies.text(reply.get(at + 1)));
            }
        }
        isLost |= arrivals.takeMissing();
        return new Kept(isFenced, doubt(isLost, replies.getLast()), refused);
    }

    private Doubt doubt(boolean isLost, @Nullable Object info) {
        boolean isReconnected = generation != 0 && generation != connection.generation();
        generation = connection.generation();
        if (isOther(info) || isLost) {
            return Doubt.WENT_BACK;
        }
        return isReconnected ? Doubt.RECONNECTED : Doubt.NONE;
    }

    @Override
    public boolean isAnotherServer() {
        connection.queue(INFO);
        return isOther(connection.flush().getFirst());
    }

    /// A user who may not call `INFO` learns from lost leases alone that Redis went back.
    private boolean isOther(@Nullable Object info) {
        String before = server;
        String present = info instanceof byte[] ? server(Replies.text(info)) : "";
        server = present.isEmpty() ? before : present;
        return !before.isEmpty() && !server.equals(before);
    }

    /// The ids that change when a server is restarted or takes another's place.
    private static String server(String info) {
        return info.lines()
                .filter(line -> line.startsWith("run_id:") || line.startsWith("master_replid:"))
                .collect(Collectors.joining());
    }

    @Override
    public void onDoubt(Runnable action) {
        arrivals.onDoubt(action);
    }

    @Override
    public Differences compare(String owner, Collection<String> queues, boolean hasGoneBack) {
        // Redis may have gone back to when the owner had jobs of queues that it has no lease on
        // now.
        Set<String> all = new LinkedHashSet<>(queues);
        if (hasGoneBack) {
            all.addAll(served.all());
        }
        return comparison.compare(owner, all, hasGoneBack);
    }

    @Override
    public void forget(String owner) {
        holdings.forget(owner);
    }

    @Override
    public List<String> giveUpUnused(String owner, Collection<String> queues) {
        List<String> kept = new ArrayList<>();
        for (List<String> some : ServedQueues.parts(queues)) {
            for (String queue : some) {
                connection.queueEval(
                        GIVE_UP,
                        List.of(
                                Keys.bytes(layout.leases(queue)),
                                Keys.bytes(layout.inflight(queue, owner)),
                                Keys.bytes(layout.suspects(queue)),
                                Keys.bytes(layout.arrivals(queue, owner))),
                        List.of(Keys.bytes(owner)));
            }
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < some.size(); i++) {
                if (!(replies.get(i) instanceof Long given) || given == 0) {
                    kept.add(some.get(i));
                }
            }
            // Not in the same round trip: a script that Redis does not have yet is sent again, and
            // would come behind this one.
            served.forget(some);
        }
        return kept;
    }

    @Override
    public int release(String owner, Collection<String> queues) {
        return recovery.release(owner, queues);
    }

    @Override
    public List<String> queuesToRecover(String self) {
        return served.toRecover(self);
    }

    @Override
    public List<String> queuesWithSuspects() {
        return served.withSuspects();
    }

    @Override
    public Recovered recover(String queue, String self) {
        return recovery.recover(queue, self);
    }

    @Override
    public void close() {
        connection.close();
    }
}
