package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The queues that were ever leased and where something of ours may lie, as Redis has them.
final class ServedQueues {
    private static final Script FORGET = Script.beside(ServedQueues.class, "forget.lua");
    private static final byte[] TIME = ascii("TIME");
    private static final byte[] EXISTS = ascii("EXISTS");
    private static final byte[] ZUNION = ascii("ZUNION");
    private static final List<byte[]> FIRST_LAPSE =
            List.of(ascii("AGGREGATE"), ascii("MIN"), ascii("WITHSCORES"));

    /// Most queues that one command or script goes through, which holds Redis for 0.1 ms.
    private static final int TOGETHER_MAX = 100;

    private final RedisConnection connection;
    private final QueueLayout layout;
    private final StrayScan strays;

    ServedQueues(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
        strays = new StrayScan(connection, layout);
    }

    static List<List<String>> parts(Collection<String> queues) {
        List<String> all = List.copyOf(queues);
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += TOGETHER_MAX) {
            parts.add(all.subList(from, Math.min(from + TOGETHER_MAX, all.size())));
        }
        return parts;
    }

    List<String> all() {
        return Replies.texts(connection.call("SMEMBERS", layout.served()));
    }

    /// The queues that recovery may find something to do on.
    List<String> toRecover(String self) {
        List<String> found = new ArrayList<>();
        strays.scanSome(Set.copyOf(all()));
        for (List<String> some : parts(all())) {
            if (isOneToRecover(some, self)) {
                found.addAll(some);
            }
        }
        return found;
    }

    /// Whether recovery may find something to do on one of these queues: one round trip, whatever
    /// their number. Where some have no owner, those with nothing of ours left are forgotten.
    private boolean isOneToRecover(List<String> queues, String self) {
        connection.queue(TIME);
        connection.queue(command(List.of(EXISTS), layout::sharedArrivals, queues, List.of()));
        connection.queue(command(List.of(EXISTS), layout::suspects, queues, List.of()));
        List<byte[]> union = List.of(ZUNION, ascii(Integer.toString(queues.size())));
        connection.queue(command(union, layout::leases, queues, FIRST_LAPSE));
        connection.queue(command(List.of(EXISTS), layout::leases, queues, List.of()));
        List<@Nullable Object> replies = connection.flush();
        if (replies.stream().anyMatch(RedisFailure.class::isInstance)) {
            // A key of a wrong type, or not for this user: each queue is looked at by itself.
            return true;
        }
        if (Replies.number(replies.get(4)) < queues.size()) {
            forget(queues);
        }
        long now = millis(Replies.texts(replies.get(0)));
        return Replies.number(replies.get(1)) + Replies.number(replies.get(2)) > 0
                || hasLapsed(Replies.texts(replies.get(3)), self, now);
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

    List<String> withSuspects() {
        List<String> found = new ArrayList<>();
        for (List<String> some : parts(all())) {
            connection.queue(command(List.of(EXISTS), layout::suspects, some, List.of()));
            if (Replies.number(connection.flush().getFirst()) > 0) {
                some.stream().filter(this::hasSuspects).forEach(found::add);
            }
        }
        return found;
    }

    private boolean hasSuspects(String queue) {
        return Replies.number(connection.call("EXISTS", layout.suspects(queue))) > 0;
    }

    /// Takes out of the served queues those of these where nothing of ours is left.
    void forget(List<String> queues) {
        List<byte[]> keys = new ArrayList<>(List.of(Keys.bytes(layout.served())));
        for (String queue : queues) {
            keys.add(Keys.bytes(layout.leases(queue)));
            keys.add(Keys.bytes(layout.sharedArrivals(queue)));
            keys.add(Keys.bytes(layout.suspects(queue)));
        }
        connection.eval(FORGET, keys, queues.stream().map(Keys::bytes).toList());
    }
}
