package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Claims that may have taken jobs and will never say which, until what they took has gone back.
///
/// What they took of a queue whose keys Redis refuses stays there for the time being, and is tried
/// again now and then: it holds up neither the other queues' jobs nor who parks there. Should Redis
/// run such a claim late, what it takes of that queue is given back at the next try, since it has
/// the claim's tokens. One thread's.
final class LostClaims {
    private static final byte[] REMEMBERED =
            ascii(Long.toString(Leasing.CRASHES_REMEMBERED.toSeconds()));

    /// Most that are kept. A comparison finds what more of them may have taken.
    private static final int ASIDE_MAX = 100;

    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RedisConnection connection;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final QueueLayout layout;
    private final Script abandon;
    private final Deque<Asked> lost = new ArrayDeque<>();

    /// Each with the queues of it that were refused, the newest claim first.
    private final List<Asked> aside = new ArrayList<>();

    private long triedNanos = System.nanoTime();

    /// A claim that may have taken jobs and has not said which.
    ///
    /// @param look what it may do with arrivals; so long nobody parks there
    record Asked(
            List<String> queues,
            String owner,
            long firstToken,
            long nextToken,
            ArrivalLists.Look look) {}

    LostClaims(
            RedisConnection connection,
            Holdings holdings,
            ArrivalLists arrivals,
            QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        this.arrivals = arrivals;
        this.layout = layout;
        abandon = Sides.of(layout).script("abandon.lua");
    }

    /// Notes a claim that was sent and will not be answered.
    void add(Asked one) {
        lost.addLast(one);
    }

    /// Notes a claim that failed. One that Redis refused half-way may have taken jobs by then.
    void add(Asked one, RedisFailure failure) {
        if (failure.kind() == RedisFailure.Kind.NOT_SENT) {
            gaveUp(one);
        } else {
            lost.addLast(one);
        }
    }

    /// Notes that a claim took nothing, or that what it took has gone back.
    void gaveUp(Asked one) {
        holdings.gaveUp(one.firstToken());
        arrivals.done(one.look());
    }

    /// The queues that have something of these claims that Redis refuses to give back.
    Set<String> setAside() {
        if (aside.isEmpty()) {
            return Set.of();
        }
        Set<String> queues = new HashSet<>();
        aside.forEach(one -> queues.addAll(one.queues()));
        return queues;
    }

    /// Gives back what they took, the newest claim first, so that the oldest job comes to stand at
    /// the head.
    ///
    /// @throws RedisFailure when it did not come to that; it is tried again with the next call
    void abandonAll() {
        if (lost.isEmpty() && aside.isEmpty()) {
            return;
        }
        while (!lost.isEmpty()) {
            List<String> refused = refused(lost.getLast());
            setAside(lost.removeLast(), refused);
        }
        if (!aside.isEmpty() && System.nanoTime() - triedNanos >= AGAIN_NANOS) {
            triedNanos = System.nanoTime();
            for (Asked one : List.copyOf(aside)) {
                List<String> refused = refused(one);
                aside.remove(one);
                setAside(one, refused);
            }
        }
    }

    private void setAside(Asked one, List<String> refused) {
        if (refused.isEmpty() || aside.size() >= ASIDE_MAX) {
            gaveUp(one);
            return;
        }
        aside.add(
                new Asked(
                        refused,
                        one.owner(),
                        one.firstToken(),
                        one.nextToken(),
                        arrivals.narrow(one.look(), refused)));
        aside.sort(Comparator.comparingLong(Asked::firstToken).reversed());
    }

    /// In one round trip: a claim names no more queues than a script may go through.
    ///
    /// @return the queues that it was not given up in, each for a reason of its own
    private List<String> refused(Asked given) {
        List<byte[]> args =
                List.of(
                        ascii(Long.toString(given.firstToken())),
                        ascii(Long.toString(given.nextToken())),
                        REMEMBERED,
                        Keys.bytes(given.owner()));
        for (String queue : given.queues()) {
            connection.queueEval(
                    abandon,
                    List.of(
                            Keys.bytes(layout.inflight(queue, given.owner())),
                            Keys.bytes(layout.queue(queue)),
                            Keys.bytes(layout.suspects(queue)),
                            Keys.bytes(layout.crashesAlone(queue)),
                            Keys.bytes(layout.leases(queue))),
                    args);
        }
        List<String> refused = new ArrayList<>();
        List<@Nullable Object> replies = connection.flush();
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof RedisFailure refusal) {
                if (!refusal.isOfOneCommand()) {
                    throw refusal;
                }
                refused.add(given.queues().get(i));
            }
        }
        return refused;
    }

    /// What is left a comparison finds. Nobody must wait for it to park.
    void close() {
        lost.forEach(one -> arrivals.done(one.look()));
        aside.forEach(one -> arrivals.done(one.look()));
    }
}
