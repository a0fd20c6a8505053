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
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Leases and recovery in Redis, by its clock.
final class RedisLeasing implements Leasing {
    private static final Script LEASE = Script.beside(RedisLeasing.class, "lease.lua");
    private static final Script LAPSED = Script.beside(RedisLeasing.class, "lapsed.lua");
    private static final Script GIVE_UP = Script.beside(RedisLeasing.class, "give_up.lua");
    private static final Script FORGET = Script.beside(RedisLeasing.class, "forget.lua");
    private static final byte[] RELEASE = ascii("release");
    private static final byte[] LAPSE = ascii("lapsed");
    private static final byte[] OPEN = ascii("open");
    private static final List<byte[]> RECOVER_LIMITS =
            List.of(
                    ascii(Long.toString(CRASHES_REMEMBERED.toSeconds())),
                    ascii(Integer.toString(NAMED_MAX)),
                    // Larger ones cost more than their names are worth.
                    ascii(Integer.toString(64 << 10)),
                    ascii(Long.toString(RECOVERED_REMEMBERED.toSeconds())));
    private static final byte[] RENEW = ascii("renew");
    private static final byte[] TIME = ascii("TIME");
    private static final byte[][] INFO = {ascii("INFO"), ascii("server"), ascii("replication")};
    private static final byte[] EXISTS = ascii("EXISTS");
    private static final byte[] ZUNION = ascii("ZUNION");
    private static final List<byte[]> FIRST_LAPSE =
            List.of(ascii("AGGREGATE"), ascii("MIN"), ascii("WITHSCORES"));

    /// Most queues that one command or script goes through, which holds Redis for 0.1 ms.
    private static final int TOGETHER_MAX = 100;

    private final RedisConnection connection;
    private final Holdings holdings;
    private final QueueLayout layout;
    private final Script recover;
    private final Script giveBack;
    private final Comparison comparison;
    private int generation;
    private String server = "";
    private final StrayScan strays;

    RedisLeasing(RedisConnection connection, Holdings holdings, QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        this.layout = layout;
        comparison = new Comparison(connection, holdings, layout);
        recover = Sides.of(layout).script("recover.lua");
        giveBack = Sides.of(layout).script("give_back.lua");
        strays = new StrayScan(connection, layout);
    }

    @Override
    public Kept open(String owner, Collection<String> queues, Duration length) {
        return lease(owner, queues, length, OPEN);
    }

    @Override
    public Kept renew(String owner, Collection<String> queues, Duration length) {
        return lease(owner, queues, length, RENEW);
    }

    private Kept lease(
            String owner, Collection<String> queues, Duration length, byte[] openOrRenew) {
        byte[] millis = ascii(Long.toString(length.toMillis()));
        List<List<String>> parts = parts(queues);
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
            List<?> reply = list(replies.get(i));
            isFenced |= number(reply.get(0)) > 0;
            isLost |= number(reply.get(1)) > 0;
            for (int at = 2; at < reply.size(); at += 2) {
                String queue = parts.get(i).get(number(reply.get(at)));
                refused.put(queue, text(reply.get(at + 1)));
            }
        }
        return new Kept(isFenced, doubt(isLost, replies.getLast()), refused);
    }

    /// A user who may not call `INFO` learns from lost leases alone that Redis went back.
    private Doubt doubt(boolean isLost, @Nullable Object info) {
        String present = info instanceof byte[] ? server(text(info)) : "";
        boolean isOther = !present.isEmpty() && !server.isEmpty() && !present.equals(server);
        boolean isReconnected = generation != 0 && generation != connection.generation();
        generation = connection.generation();
        server = present.isEmpty() ? server : present;
        if (isLost || isOther) {
            return Doubt.WENT_BACK;
        }
        return isReconnected ? Doubt.RECONNECTED : Doubt.NONE;
    }

    /// What changes when a server is restarted or takes another's place.
    private static String server(String info) {
        return info.lines()
                .filter(line -> line.startsWith("run_id:") || line.startsWith("master_replid:"))
                .collect(Collectors.joining());
    }

    @Override
    public Differences compare(String owner, Collection<String> queues, boolean hasGoneBack) {
        // It may have gone back to when the owner had jobs of queues that it has no lease on now.
        Set<String> all = new LinkedHashSet<>(queues);
        if (hasGoneBack) {
            all.addAll(texts(connection.call("SMEMBERS", layout.served())));
        }
        return comparison.compare(owner, all, hasGoneBack);
    }

    @Override
    public void forget(String owner) {
        holdings.forget(owner);
    }

    static List<List<String>> parts(Collection<String> queues) {
        List<String> all = List.copyOf(queues);
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += TOGETHER_MAX) {
            parts.add(all.subList(from, Math.min(from + TOGETHER_MAX, all.size())));
        }
        return parts;
    }

    @Override
    public List<String> giveUpUnused(String owner, Collection<String> queues) {
        List<String> kept = new ArrayList<>();
        for (List<String> some : parts(queues)) {
            for (String queue : some) {
                connection.queueEval(
                        GIVE_UP,
                        List.of(
                                Keys.bytes(layout.leases(queue)),
                                Keys.bytes(layout.inflight(queue, owner)),
                                Keys.bytes(layout.suspects(queue))),
                        List.of(Keys.bytes(owner)));
            }
            queueForget(some);
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < some.size(); i++) {
                if (!(replies.get(i) instanceof Long given) || given == 0) {
                    kept.add(some.get(i));
                }
            }
        }
        return kept;
    }

    /// Takes the names of queues where nothing of ours is left out of those that recovery looks at.
    private void queueForget(List<String> queues) {
        List<byte[]> keys = new ArrayList<>(List.of(Keys.bytes(layout.served())));
        for (String queue : queues) {
            keys.add(Keys.bytes(layout.leases(queue)));
            keys.add(Keys.bytes(layout.arrivals(queue)));
            keys.add(Keys.bytes(layout.suspects(queue)));
        }
        connection.queueEval(FORGET, keys, queues.stream().map(Keys::bytes).toList());
    }

    /// Some queues to a round trip. What one queue refuses keeps no other from being released.
    @Override
    public int release(String owner, Collection<String> queues) {
        int jobs = 0;
        List<RedisFailure> refusals = new ArrayList<>();
        for (List<String> some : parts(queues)) {
            some.forEach(this::queueGiveBack);
            some.forEach(queue -> queueRecover(queue, owner, RELEASE));
            queueForget(some);
            List<@Nullable Object> replies = connection.flush();
            for (Object reply : replies.subList(some.size(), 2 * some.size())) {
                jobs += reply instanceof List<?> back ? number(back.getFirst()) : 0;
            }
            for (Object reply : replies) {
                if (reply instanceof RedisFailure refusal) {
                    refusals.add(refusal);
                }
            }
        }
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
        return jobs;
    }

    @Override
    public List<String> queuesToRecover(String self) {
        List<String> found = new ArrayList<>();
        strays.goOn(Set.copyOf(served()));
        for (List<String> some : parts(served())) {
            if (isOneToRecover(some, self)) {
                found.addAll(some);
            }
        }
        return found;
    }

    private List<String> served() {
        return texts(connection.call("SMEMBERS", layout.served()));
    }

    /// In one round trip, whatever their number. Where some have no owner their names are looked at
    /// too.
    private boolean isOneToRecover(List<String> queues, String self) {
        connection.queue(TIME);
        connection.queue(command(List.of(EXISTS), layout::arrivals, queues, List.of()));
        connection.queue(command(List.of(EXISTS), layout::suspects, queues, List.of()));
        List<byte[]> union = List.of(ZUNION, ascii(Integer.toString(queues.size())));
        connection.queue(command(union, layout::leases, queues, FIRST_LAPSE));
        connection.queue(command(List.of(EXISTS), layout::leases, queues, List.of()));
        List<@Nullable Object> replies = connection.flush();
        if (replies.stream().anyMatch(RedisFailure.class::isInstance)) {
            // A key of a wrong type, or not for this user: each queue is looked at by itself.
            return true;
        }
        if (number(replies.get(4)) < queues.size()) {
            queueForget(queues);
            only();
        }
        return number(replies.get(1)) + number(replies.get(2)) > 0
                || hasLapsed(texts(replies.get(3)), self, millis(texts(replies.get(0))));
    }

    private static byte[][] command(
            List<byte[]> head, UnaryOperator<String> key, List<String> queues, List<byte[]> tail) {
        Stream<byte[]> keys = queues.stream().map(queue -> Keys.bytes(key.apply(queue)));
        return Stream.of(head.stream(), keys, tail.stream())
                .flatMap(part -> part)
                .toArray(byte[][]::new);
    }

    private static long millis(List<String> secondsAndMicros) {
        return Long.parseLong(secondsAndMicros.get(0)) * 1_000
                + Long.parseLong(secondsAndMicros.get(1)) / 1_000;
    }

    /// @param leases owner and earliest lapse in turn
    private static boolean hasLapsed(List<String> leases, String self, long now) {
        for (int i = 0; i < leases.size(); i += 2) {
            if (!leases.get(i).equals(self) && Double.parseDouble(leases.get(i + 1)) < now) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<String> queuesWithSuspects() {
        List<String> found = new ArrayList<>();
        for (List<String> some : parts(texts(connection.call("SMEMBERS", layout.served())))) {
            connection.queue(command(List.of(EXISTS), layout::suspects, some, List.of()));
            if (number(connection.flush().getFirst()) > 0) {
                some.stream()
                        .filter(one -> number(connection.call("EXISTS", layout.suspects(one))) > 0)
                        .forEach(found::add);
            }
        }
        return found;
    }

    @Override
    public Recovered recover(String queue, String self) {
        queueGiveBack(queue);
        only();
        List<byte[]> leases = List.of(Keys.bytes(layout.leases(queue)));
        List<String> owners = new ArrayList<>();
        Moved jobs = Moved.NONE;
        Moved suspects = Moved.NONE;
        for (String owner : texts(connection.eval(LAPSED, leases, List.of()))) {
            List<?> reply = owner.equals(self) ? null : recoverOwner(queue, owner);
            if (reply != null) {
                owners.add(owner);
                List<byte[]> suspected = payloads(reply.get(2));
                suspects = suspects.and(number(reply.get(1)), suspected);
                jobs = jobs.and(number(reply.get(0)), suspected).and(0, payloads(reply.get(3)));
            }
        }
        int waiting = number(connection.call("LLEN", layout.suspects(queue)));
        return new Recovered(owners, jobs, suspects, waiting);
    }

    private void queueGiveBack(String queue) {
        connection.queueEval(
                giveBack,
                List.of(Keys.bytes(layout.arrivals(queue)), Keys.bytes(layout.queue(queue))),
                List.of());
    }

    /// What recover.lua answers; null when the lease is still good.
    private @Nullable List<?> recoverOwner(String queue, String owner) {
        queueRecover(queue, owner, LAPSE);
        return (List<?>) only();
    }

    private void queueRecover(String queue, String owner, byte[] mode) {
        List<byte[]> args = new ArrayList<>(List.of(Keys.bytes(owner), mode));
        args.addAll(RECOVER_LIMITS);
        connection.queueEval(
                recover,
                List.of(
                        Keys.bytes(layout.leases(queue)),
                        Keys.bytes(layout.inflight(queue, owner)),
                        Keys.bytes(layout.queue(queue)),
                        Keys.bytes(layout.crashes(queue)),
                        Keys.bytes(layout.suspects(queue)),
                        Keys.bytes(layout.crashesAlone(queue)),
                        Keys.bytes(layout.recovered(queue))),
                args);
    }

    private @Nullable Object only() {
        Object reply = connection.flush().getFirst();
        if (reply instanceof RedisFailure refusal) {
            throw refusal;
        }
        return reply;
    }

    private static List<byte[]> payloads(@Nullable Object reply) {
        return ((List<?>) Objects.requireNonNull(reply))
                .stream().map(payload -> (byte[]) Objects.requireNonNull(payload)).toList();
    }

    private static int number(@Nullable Object reply) {
        return switch (reply) {
            case Long value -> value.intValue();
            case RedisFailure refusal -> throw refusal;
            case null, default -> throw new IllegalStateException("leasing answered " + reply);
        };
    }

    private static List<?> list(@Nullable Object reply) {
        return switch (reply) {
            case List<?> values -> values;
            case RedisFailure refusal -> throw refusal;
            case null, default -> throw new IllegalStateException("leasing answered " + reply);
        };
    }

    private static List<String> texts(@Nullable Object reply) {
        List<String> texts = new ArrayList<>();
        for (Object value : (List<?>) Objects.requireNonNull(reply)) {
            texts.add(text(value));
        }
        return texts;
    }

    private static String text(Object value) {
        return new String((byte[]) value, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connection.close();
    }
}
