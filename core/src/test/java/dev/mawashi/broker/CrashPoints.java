package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.Settler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Runs a move of jobs again and again, and breaks the connection at another point each time:
/// before each burst of commands is sent, after it was sent and before its reply, and after its
/// reply. Then either the session goes on as production code does, or the process is gone and
/// another recovers what it held.
final class CrashPoints {
    static final Duration LONG = Duration.ofMinutes(5);
    static final Duration LAPSED = Duration.ofSeconds(-1);
    static final int JOBS = 5;
    static final int BYTES_MAX = 1 << 20;
    static final List<String> QUEUES = List.of("high", "low");
    private static final int TRIES_MAX = 5;

    private CrashPoints() {}

    /// Where in a burst the connection breaks.
    private enum Where {
        BEFORE_SEND,
        BEFORE_REPLY,
        AFTER_REPLY
    }

    /// A move of jobs.
    ///
    /// @param mayEnd jobs may be gone afterwards, because they were acked
    record Move(String name, boolean mayEnd, Consumer<Attempt> script) {}

    /// One run of a move: the server as it is, and the way to it that will break.
    static final class Attempt implements AutoCloseable {
        final CrashRedis redis;
        final RedisBroker direct;
        final FaultProxy proxy;
        final RedisBroker broken;
        private final RecordedEvents events = new RecordedEvents();
        final boolean isCrash;
        private boolean isCrashed;

        private Attempt(CrashRedis redis, boolean isCrash) {
            this.redis = redis;
            this.isCrash = isCrash;
            direct = new RedisBroker(redis.address(), DeadLimits.DEFAULT);
            proxy = redis.proxy();
            broken = new RedisBroker(redis.by(proxy), DeadLimits.DEFAULT);
        }

        /// For the test itself: straight there.
        RedisConnection connect() {
            return redis.connect();
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

        boolean isCrashed() {
            return isCrashed;
        }

        List<Lease> claimed(int most) {
            try (Leasing leasing = direct.leasing();
                    Claiming claiming = direct.claiming()) {
                leasing.open("me", QUEUES, LONG);
                return claiming.claim(QUEUES, "me", most, BYTES_MAX).leases();
            }
        }

        /// As the settler does; in a crash it would not give up, so it is left out there.
        void settle(RedisBroker over, List<Settled> all) {
            if (isCrash) {
                try (Settling settling = over.settling()) {
                    persistently(() -> settling.settle(all));
                }
                return;
            }
            Settler settler =
                    new Settler(over.settling(), events, new Outage(events, System::nanoTime));
            all.forEach(one -> settler.settle(one.lease(), one.settlement()));
            settler.start();
            assertThat(settler.flush(Duration.ofSeconds(20))).isTrue();
            settler.stop(Duration.ZERO);
            assertThat(events.of(Event.SettledLate.class)).isEmpty();
        }

        @Override
        public void close() {
            proxy.close();
        }
    }

    /// Ends for each kind of cut when a run no longer comes so far.
    static void breakEverywhere(CrashRedis redis, Move move, boolean isCrash) {
        int fired = 0;
        for (Where where : Where.values()) {
            int burst = 1;
            while (run(redis, move, isCrash, burst, where)) {
                burst++;
                fired++;
            }
        }
        assertThat(fired).as("cuts that took place").isGreaterThan(5);
    }

    private static boolean run(
            CrashRedis redis, Move move, boolean isCrash, int burst, Where where) {
        redis.flushAll();
        try (Attempt attempt = new Attempt(redis, isCrash)) {
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
            assertConserved(attempt, move, "burst " + burst + " " + where);
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

    static List<byte[]> jobs(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> Places.job("" + i)).toList();
    }

    static void recoverAll(Attempt attempt) {
        try (Leasing leasing = attempt.direct.leasing()) {
            leasing.open("me", QUEUES, LAPSED);
            QUEUES.forEach(queue -> leasing.recover(queue, ""));
        }
    }

    private static void assertConserved(Attempt attempt, Move move, String point) {
        try (RedisConnection redis = attempt.connect()) {
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

    static void assertHeld(Attempt attempt, List<byte[]> known) {
        if (attempt.isCrashed) {
            return;
        }
        try (RedisConnection redis = attempt.connect()) {
            Places places = new RedisPlaces(redis);
            List<byte[]> held = new ArrayList<>();
            QUEUES.forEach(queue -> held.addAll(places.inFlight(queue)));
            assertThat(held.stream().map(Places::jid).sorted())
                    .isEqualTo(known.stream().map(Places::jid).sorted().toList());
        }
    }
}
