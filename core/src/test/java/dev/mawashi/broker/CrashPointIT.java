package dev.mawashi.broker;

import static dev.mawashi.broker.CrashPoints.BYTES_MAX;
import static dev.mawashi.broker.CrashPoints.JOBS;
import static dev.mawashi.broker.CrashPoints.LAPSED;
import static dev.mawashi.broker.CrashPoints.LONG;
import static dev.mawashi.broker.CrashPoints.QUEUES;
import static dev.mawashi.broker.CrashPoints.assertHeld;
import static dev.mawashi.broker.CrashPoints.jobs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.CrashPoints.Attempt;
import dev.mawashi.broker.CrashPoints.Move;
import dev.mawashi.redis.KeyReports;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// Breaks the connection at every point of every move of a job, as `CrashPoints` says. Whether the
/// session goes on then or the process is gone, each job must be in exactly one place, and what is
/// kept beside jobs must be as it was before a step or after it.
class CrashPointIT {
    @TestFactory
    Stream<DynamicTest> aJobIsInOnePlaceWhereverTheConnectionBreaks() {
        return breakEachMove(CrashRedis.single());
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> soItIsInACluster() {
        return breakEachMove(CrashRedis.cluster());
    }

    private static Stream<DynamicTest> breakEachMove(CrashRedis redis) {
        return Stream.of(
                        new Move("claim", false, CrashPointIT::claim),
                        new Move("claim in parts", false, CrashPointIT::claimTwice),
                        new Move("abandon", false, CrashPointIT::abandon),
                        new Move("claim suspects", false, SuspectMoves::claim),
                        new Move("recover a suspect", false, SuspectMoves::recover),
                        new Move("ack", true, a -> settle(a, Settlement.ACK)),
                        new Move("retry", false, a -> settle(a, retry("x"))),
                        new Move("bury", false, a -> settle(a, bury("x"))),
                        new Move("ack with a lock", true, LockMoves::done),
                        new Move("bury with a lock", false, LockMoves::bury),
                        new Move("enqueue with a lock", true, LockMoves::enqueue),
                        new Move("clear jobs with locks", true, LockMoves::clear),
                        new Move("delete jobs with locks", true, LockMoves::delete),
                        new Move("delete entries with locks", true, LockMoves::deleteEntries),
                        new Move("bury entries with locks", false, LockMoves::buryEntries),
                        new Move("requeue", false, a -> settle(a, Settlement.REQUEUE)),
                        new Move("settle all kinds", true, CrashPointIT::settleMixed),
                        new Move("give back", false, CrashPointIT::giveBack),
                        new Move("arrive and run", true, ArrivalMoves::run),
                        new Move("arrive and leave", false, ArrivalMoves::leave),
                        new Move("recover arrivals", false, ArrivalMoves::recover),
                        new Move("promote", false, CrashPointIT::promote),
                        new Move("postpone", false, CrashPointIT::postpone),
                        new Move("bury entry", false, CrashPointIT::buryEntries),
                        new Move("recover", false, CrashPointIT::recover),
                        new Move("release", false, CrashPointIT::release),
                        new Move("fail", false, ResqueMoves::fail),
                        new Move("delayed", false, ResqueMoves::delayed),
                        new Move("postpone delayed", false, ResqueMoves::postponeDelayed),
                        new Move("iterate", false, StateMoves::iterate),
                        new Move("cancel", true, StateMoves::cancel),
                        new Move("cancel in hand", false, StateMoves::cancelHeld))
                .flatMap(move -> Stream.of(false, true).map(isCrash -> test(redis, move, isCrash)))
                .onClose(redis::close);
    }

    private static DynamicTest test(CrashRedis redis, Move move, boolean isCrash) {
        String name = move.name() + (isCrash ? ", then crash" : ", then go on");
        return DynamicTest.dynamicTest(
                name, () -> CrashPoints.breakEverywhere(redis, move, isCrash));
    }

    /// After a claim that got through, the process knows of every job that it holds.
    private static void claim(Attempt attempt) {
        try (Leasing leasing = attempt.direct.leasing()) {
            leasing.open("me", QUEUES, LONG);
        }
        List<byte[]> known = new ArrayList<>();
        try (Claiming claiming = attempt.broken.claiming()) {
            attempt.persistently(() -> known.addAll(take(claiming, 7)));
        }
        assertHeld(attempt, known);
    }

    private static void claimTwice(Attempt attempt) {
        try (Leasing leasing = attempt.direct.leasing()) {
            leasing.open("me", QUEUES, LONG);
        }
        List<byte[]> known = new ArrayList<>();
        try (Claiming claiming = attempt.broken.claiming()) {
            attempt.persistently(() -> known.addAll(take(claiming, 3)));
            attempt.persistently(() -> known.addAll(take(claiming, 5)));
        }
        assertHeld(attempt, known);
    }

    /// One claim's reply is lost in any case; the point under test then lies in what repairs that.
    private static void abandon(Attempt attempt) {
        try (Leasing leasing = attempt.direct.leasing()) {
            leasing.open("me", QUEUES, LONG);
        }
        List<byte[]> known = new ArrayList<>();
        try (Claiming claiming = attempt.broken.claiming()) {
            attempt.persistently(() -> known.addAll(take(claiming, 3)));
            if (!attempt.isCrashed()) {
                attempt.proxy.cutAfterReplyBytes(attempt.proxy.bursts() + 1, 0);
            }
            attempt.persistently(() -> known.addAll(take(claiming, 5)));
        }
        assertHeld(attempt, known);
    }

    private static List<byte[]> take(Claiming claiming, int most) {
        return claiming.claim(QUEUES, "me", most, BYTES_MAX).leases().stream()
                .map(Lease::payload)
                .toList();
    }

    private static Settlement retry(String jid) {
        return new Settlement.Retry(Places.job(jid), LONG);
    }

    private static Settlement bury(String jid) {
        return new Settlement.Bury(Places.job(jid));
    }

    private static void settle(Attempt attempt, Settlement settlement) {
        List<Settled> all = new ArrayList<>();
        for (Lease lease : attempt.claimed(7)) {
            String jid = Places.jid(lease.payload());
            Settlement own =
                    switch (settlement) {
                        case Settlement.Retry _ -> retry(jid);
                        case Settlement.Bury _ -> bury(jid);
                        case Settlement.Fail fail -> fail;
                        case Settlement.Ack ack -> ack;
                        case Settlement.Requeue requeue -> requeue;
                        case Settlement.Arrived arrived -> arrived;
                    };
            all.add(new Settled(lease, own));
        }
        settleAll(attempt, all);
    }

    private static void settleMixed(Attempt attempt) {
        List<Lease> leases = attempt.claimed(8);
        List<Settled> all = new ArrayList<>();
        for (int i = 0; i < leases.size(); i++) {
            String jid = Places.jid(leases.get(i).payload());
            List<Supplier<Settlement>> kinds =
                    List.of(
                            () -> Settlement.ACK,
                            () -> retry(jid),
                            () -> bury(jid),
                            () -> Settlement.REQUEUE);
            all.add(new Settled(leases.get(i), kinds.get(i % 4).get()));
        }
        settleAll(attempt, all);
    }

    private static void settleAll(Attempt attempt, List<Settled> all) {
        attempt.settle(attempt.broken, all);
        if (!attempt.isCrash) {
            assertHeld(attempt, List.of());
        }
    }

    private static void giveBack(Attempt attempt) {
        try (RedisConnection redis = attempt.connect();
                Claiming claiming = attempt.broken.claiming()) {
            for (int i = 0; i < 3; i++) {
                redis.call("LMOVE", "queue:low", "mw:{queue:low}:arrivals:me", "RIGHT", "LEFT");
            }
            attempt.persistently(() -> claiming.giveBack(QUEUES, "me"));
            if (!attempt.isCrashed()) {
                assertThat(new RedisPlaces(redis).queued("low").stream().map(Places::jid))
                        .containsExactly("5", "6", "7", "8", "9");
            }
        }
    }

    /// The jobs of `low` move to the schedule set, to be promoted from there.
    private static void scheduleLow(Attempt attempt) {
        try (RedisConnection redis = attempt.connect();
                Enqueuing enqueuing = attempt.direct.enqueuing()) {
            redis.call("DEL", "queue:low");
            jobs(JOBS, 2 * JOBS)
                    .forEach(job -> enqueuing.schedule(Instant.EPOCH.plusSeconds(9), job));
            enqueuing.flush();
        }
    }

    /// A session whose sets are not watched, so that every run sends the same bursts.
    private static RedisScheduling scheduling(Attempt attempt) {
        RedisAddress nobody = RedisAddress.parse("redis://127.0.0.1:1");
        RedisConnection nowhere = new RedisConnection(nobody, "none", LONG);
        KeyReports none = new KeyReports(attempt.broken.connect("schedule"), () -> nowhere);
        return new RedisScheduling(
                none.watch(RedisScheduling::isOf), DeadLimits.DEFAULT, QueueLayout.SIDEKIQ);
    }

    private static void promote(Attempt attempt) {
        scheduleLow(attempt);
        promoteTo(attempt, "high");
    }

    /// The queue takes none of them.
    private static void postpone(Attempt attempt) {
        scheduleLow(attempt);
        try (RedisConnection redis = attempt.connect()) {
            redis.call("SET", "queue:bad", "no list");
            promoteTo(attempt, "bad");
            redis.call("DEL", "queue:bad");
        }
    }

    private static void promoteTo(Attempt attempt, String queue) {
        try (Scheduling scheduling = scheduling(attempt)) {
            attempt.persistently(() -> {
                List<Scheduling.Promotion> promotions = new ArrayList<>();
                for (Scheduling.Entry entry : scheduling.due(100, 1 << 20).entries()) {
                    promotions.add(new Scheduling.Promotion(entry, queue, entry.payload()));
                }
                scheduling.promote(promotions);
            });
        }
    }

    private static void buryEntries(Attempt attempt) {
        scheduleLow(attempt);
        try (Scheduling scheduling = scheduling(attempt)) {
            attempt.persistently(
                    () -> scheduling.due(100, 1 << 20).entries().forEach(scheduling::bury));
        }
    }

    private static void recover(Attempt attempt) {
        attempt.claimed(7);
        try (Leasing direct = attempt.direct.leasing();
                Leasing leasing = attempt.broken.leasing()) {
            direct.open("me", QUEUES, LAPSED);
            attempt.persistently(
                    () -> leasing.queuesToRecover("").forEach(queue -> leasing.recover(queue, "")));
        }
        assertHeld(attempt, List.of());
    }

    private static void release(Attempt attempt) {
        attempt.claimed(7);
        try (Leasing leasing = attempt.broken.leasing()) {
            attempt.persistently(() -> leasing.release("me", QUEUES));
        }
        assertHeld(attempt, List.of());
    }
}
