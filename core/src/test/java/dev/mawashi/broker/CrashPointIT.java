package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.settle.Settler;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Breaks the connection at every point of every move of a job: before each burst of commands is
/// sent, after it was sent and before its reply, and after its reply. Then either the session goes
/// on as production code does, or the process is gone and another recovers what it held. In both
/// cases each job must be in exactly one place.
class CrashPointIT {
    static final RedisServerForTests SERVER = new RedisServerForTests();
    static final Duration LONG = Duration.ofMinutes(5);
    static final Duration LAPSED = Duration.ofSeconds(-1);
    private static final int JOBS = 5;
    private static final int TRIES_MAX = 5;
    private static final int BYTES_MAX = 1 << 20;
    static final List<String> QUEUES = List.of("high", "low");

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    /// Where in a burst the connection breaks.
    private enum Where {
        BEFORE_SEND,
        BEFORE_REPLY,
        AFTER_REPLY
    }

    /// A move of jobs.
    ///
    /// @param mayEnd jobs may be gone afterwards, because they were acked
    private record Move(String name, boolean mayEnd, Consumer<Attempt> script) {}

    /// One run of a move: the server as it is, and the way to it that will break.
    static final class Attempt implements AutoCloseable {
        final RedisBroker direct = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
        private final FaultProxy proxy = new FaultProxy(SERVER.address());
        final RedisBroker broken = new RedisBroker(proxy.address(), DeadLimits.DEFAULT);
        private final RecordedEvents events = new RecordedEvents();
        private final boolean isCrash;
        private boolean isCrashed;

        private Attempt(boolean isCrash) {
            this.isCrash = isCrash;
        }

        /// Does something again until it succeeds; in a crash, a failure is the end.
        void persistently(Runnable action) {
            for (int i = 0; i < TRIES_MAX && !isCrashed; i++) {
                try {
                    action.run();
                    return;
                } catch (RedisFailure failure) {
                    assertThat(failure.kind()).isNotEqualTo(RedisFailure.Kind.REFUSED);
                    isCrashed = isCrash;
                }
            }
        }

        private List<Lease> claimed(int most) {
            try (Leasing leasing = direct.leasing();
                    Claiming claiming = direct.claiming()) {
                leasing.open("me", QUEUES, LONG);
                return claiming.claim(QUEUES, "me", most, BYTES_MAX).leases();
            }
        }

        @Override
        public void close() {
            proxy.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> aJobIsInOnePlaceWhereverTheConnectionBreaks() {
        return Stream.of(
                        new Move("claim", false, CrashPointIT::claim),
                        new Move("claim in parts", false, CrashPointIT::claimTwice),
                        new Move("abandon", false, CrashPointIT::abandon),
                        new Move("claim suspects", false, SuspectMoves::claim),
                        new Move("recover a suspect", false, SuspectMoves::recover),
                        new Move("ack", true, a -> settle(a, Settlement.ACK)),
                        new Move("retry", false, a -> settle(a, retry("x"))),
                        new Move("bury", false, a -> settle(a, bury("x"))),
                        new Move("requeue", false, a -> settle(a, Settlement.REQUEUE)),
                        new Move("settle all kinds", true, CrashPointIT::settleMixed),
                        new Move("give back", false, CrashPointIT::giveBack),
                        new Move("promote", false, CrashPointIT::promote),
                        new Move("postpone", false, CrashPointIT::postpone),
                        new Move("bury entry", false, CrashPointIT::buryEntries),
                        new Move("recover", false, CrashPointIT::recover),
                        new Move("release", false, CrashPointIT::release))
                .flatMap(move -> Stream.of(false, true).map(isCrash -> test(move, isCrash)));
    }

    private static DynamicTest test(Move move, boolean isCrash) {
        String name = move.name() + (isCrash ? ", then crash" : ", then go on");
        return DynamicTest.dynamicTest(name, () -> breakEverywhere(move, isCrash));
    }

    /// Ends for each kind of cut when a run no longer comes so far.
    private static void breakEverywhere(Move move, boolean isCrash) {
        int fired = 0;
        for (Where where : Where.values()) {
            int burst = 1;
            while (run(move, isCrash, burst, where)) {
                burst++;
                fired++;
            }
        }
        assertThat(fired).as("cuts that took place").isGreaterThan(5);
    }

    private static boolean run(Move move, boolean isCrash, int burst, Where where) {
        SERVER.flushAll();
        try (Attempt attempt = new Attempt(isCrash)) {
            prepare(attempt);
            switch (where) {
                case BEFORE_SEND -> attempt.proxy.cutBeforeSend(burst);
                case BEFORE_REPLY -> attempt.proxy.cutAfterReplyBytes(burst, 0);
                case AFTER_REPLY -> attempt.proxy.cutAfterReplies(burst);
            }
            move.script().accept(attempt);
            if (isCrash) {
                recoverAll(attempt);
            }
            assertConserved(move, "burst " + burst + " " + where);
            return !attempt.proxy.hasCutAhead();
        }
    }

    private static void prepare(Attempt attempt) {
        try (Enqueuing enqueuing = attempt.direct.enqueuing()) {
            enqueuing.push("high", jobs(0, JOBS));
            enqueuing.push("low", jobs(JOBS, 2 * JOBS));
            enqueuing.flush();
        }
    }

    private static List<byte[]> jobs(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> Places.job("" + i)).toList();
    }

    static void recoverAll(Attempt attempt) {
        try (Leasing leasing = attempt.direct.leasing()) {
            leasing.open("me", QUEUES, LAPSED);
            QUEUES.forEach(queue -> leasing.recover(queue, ""));
        }
    }

    private static void assertConserved(Move move, String point) {
        try (RedisConnection redis = SERVER.connect()) {
            Map<String, List<String>> where = new RedisPlaces(redis).whereabouts(QUEUES);
            for (int i = 0; i < 2 * JOBS; i++) {
                List<String> places = where.getOrDefault("" + i, List.of());
                if (!move.mayEnd() || !places.isEmpty()) {
                    assertThat(places).as("%s: job %d, %s", move.name(), i, where).hasSize(1);
                }
            }
            assertThat(where).as("%s: %s", move.name(), point).hasSizeLessThanOrEqualTo(2 * JOBS);
        }
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
            if (!attempt.isCrashed) {
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

    static void assertHeld(Attempt attempt, List<byte[]> known) {
        if (attempt.isCrashed) {
            return;
        }
        try (RedisConnection redis = SERVER.connect()) {
            Places places = new RedisPlaces(redis);
            List<byte[]> held = new ArrayList<>();
            QUEUES.forEach(queue -> held.addAll(places.inFlight(queue)));
            assertThat(held.stream().map(Places::jid).sorted())
                    .isEqualTo(known.stream().map(Places::jid).sorted().toList());
        }
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
        if (attempt.isCrash) {
            try (Settling settling = attempt.broken.settling()) {
                attempt.persistently(() -> settling.settle(all));
            }
            return;
        }
        Outage outage = new Outage(attempt.events, System::nanoTime);
        Settler settler = new Settler(attempt.broken.settling(), attempt.events, outage);
        all.forEach(one -> settler.settle(one.lease(), one.settlement()));
        settler.start();
        assertThat(settler.flush(Duration.ofSeconds(20))).isTrue();
        settler.stop(Duration.ZERO);
        assertThat(attempt.events.of(Event.SettledLate.class)).isEmpty();
        assertHeld(attempt, List.of());
    }

    private static void giveBack(Attempt attempt) {
        try (RedisConnection redis = SERVER.connect();
                Claiming claiming = attempt.broken.claiming()) {
            for (int i = 0; i < 3; i++) {
                redis.call("LMOVE", "queue:low", "mw:{queue:low}:arrivals", "RIGHT", "LEFT");
            }
            attempt.persistently(() -> claiming.giveBack(QUEUES));
            if (!attempt.isCrashed) {
                assertThat(new RedisPlaces(redis).queued("low").stream().map(Places::jid))
                        .containsExactly("5", "6", "7", "8", "9");
            }
        }
    }

    /// The jobs of `low` move to the schedule set, to be promoted from there.
    private static void scheduleLow(Attempt attempt) {
        try (RedisConnection redis = SERVER.connect();
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
        return new RedisScheduling(
                attempt.broken.connect("schedule"),
                nowhere,
                DeadLimits.DEFAULT,
                QueueLayout.SIDEKIQ);
    }

    private static void promote(Attempt attempt) {
        scheduleLow(attempt);
        promoteTo(attempt, "high");
    }

    /// The queue takes none of them.
    private static void postpone(Attempt attempt) {
        scheduleLow(attempt);
        try (RedisConnection redis = SERVER.connect()) {
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
