package dev.mawashi.broker;

import static dev.mawashi.broker.CrashPoints.BYTES_MAX;
import static dev.mawashi.broker.CrashPoints.LAPSED;
import static dev.mawashi.broker.CrashPoints.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.KeyReports;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// The moves of `CrashPointIT` that jobs of Resque make.
final class ResqueMoves {
    private static final ResqueKeys KEYS = new ResqueKeys("app");
    private static final QueueLayout LAYOUT = KEYS.layout();
    private static final String QUEUE = "q";
    private static final List<String> JIDS = List.of("r0", "r1", "r2", "r3", "r4");
    private static final String LOCK = KEYS.masterLock("");
    private static final String DUE = "9";
    private static final String LATER = "90000000000";
    private static final int ROUNDS_MAX = 10;

    private ResqueMoves() {}

    /// Failures are recorded and counted once each.
    static void fail(CrashPoints.Attempt attempt) {
        RedisBroker direct = attempt.direct.beside(DeadLimits.DEFAULT, LAYOUT);
        RedisBroker broken = attempt.broken.beside(DeadLimits.DEFAULT, LAYOUT);
        FailurePlace place = new FailurePlace(KEYS, true, "me");
        List<Settled> all =
                claimed(direct).stream()
                        .map(one -> new Settled(one, new Settlement.Fail(one.payload(), place)))
                        .toList();

        attempt.settle(broken, all);

        try (RedisConnection redis = attempt.connect();
                Leasing leasing = direct.leasing()) {
            Places places = new RedisPlaces(redis, LAYOUT);
            List<String> held = jids(places.inFlight(QUEUE));
            leasing.open("me", List.of(QUEUE), LAPSED);
            leasing.recover(QUEUE, "");
            List<String> failed = list(redis, "app:q_failed");
            assertThat(attempt.isCrashed() ? List.of() : held).isEmpty();
            assertThat(Stream.concat(failed.stream(), jids(places.queued(QUEUE)).stream()))
                    .containsExactlyInAnyOrderElementsOf(JIDS);
            assertThat(count(redis, KEYS.statFailed())).isEqualTo(failed.size());
            assertThat(count(redis, KEYS.statFailed("me"))).isEqualTo(failed.size());
            assertThat(redis.call("SISMEMBER", KEYS.failedQueues(), "q_failed"))
                    .isEqualTo(failed.isEmpty() ? 0L : 1L);
        }
    }

    private static List<Lease> claimed(RedisBroker direct) {
        try (Enqueuing enqueuing = direct.enqueuing();
                Leasing leasing = direct.leasing();
                Claiming claiming = direct.claiming()) {
            enqueuing.push(QUEUE, JIDS.stream().map(Places::job).toList());
            enqueuing.flush();
            leasing.open("me", List.of(QUEUE), LONG);
            return claiming.claim(List.of(QUEUE), "me", JIDS.size(), BYTES_MAX).leases();
        }
    }

    /// Two at a time. Whoever comes next moves those that are left.
    static void delayed(CrashPoints.Attempt attempt) {
        delay(attempt);
        try (DelayedJobs broken = delayedJobs(attempt.broken)) {
            attempt.persistently(() -> moveAll(broken));
        }
        try (RedisConnection redis = attempt.connect();
                DelayedJobs next = delayedJobs(attempt.direct)) {
            List<String> queued = list(redis, LAYOUT.queue(QUEUE));
            List<String> waiting = list(redis, KEYS.delayed(DUE));
            assertThat(attempt.isCrashed() ? List.of() : waiting).isEmpty();
            assertThat(Stream.concat(queued.stream(), waiting.stream())).isEqualTo(JIDS);
            assertIndexed(redis, DUE, waiting);

            moveAll(next);

            assertThat(list(redis, LAYOUT.queue(QUEUE))).isEqualTo(JIDS);
            assertIndexed(redis, DUE, List.of());
            assertThat(count(redis, KEYS.delayedSchedule(), "ZCARD")).isZero();
        }
    }

    /// Their queue takes none.
    static void postponeDelayed(CrashPoints.Attempt attempt) {
        delay(attempt);
        try (DelayedJobs broken = delayedJobs(attempt.broken)) {
            attempt.persistently(() -> postponeAll(broken));
        }
        try (RedisConnection redis = attempt.connect();
                DelayedJobs next = delayedJobs(attempt.direct)) {
            List<String> later = list(redis, KEYS.delayed(LATER));
            List<String> waiting = list(redis, KEYS.delayed(DUE));
            assertThat(attempt.isCrashed() ? List.of() : waiting).isEmpty();
            assertThat(Stream.concat(later.stream(), waiting.stream())).isEqualTo(JIDS);
            assertIndexed(redis, DUE, waiting);
            assertIndexed(redis, LATER, later);

            postponeAll(next);

            assertThat(list(redis, KEYS.delayed(LATER))).isEqualTo(JIDS);
            assertIndexed(redis, LATER, JIDS);
            assertThat(count(redis, KEYS.delayedSchedule(), "ZCARD")).isOne();
            assertThat(redis.call("ZSCORE", KEYS.delayedSchedule(), LATER)).isNotNull();
        }
    }

    /// As resque-scheduler writes them.
    private static void delay(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect()) {
            redis.call("ZADD", KEYS.delayedSchedule(), DUE, DUE);
            for (String jid : JIDS) {
                redis.call("RPUSH", KEYS.delayed(DUE), text(jid));
                redis.call("SADD", "app:timestamps:" + text(jid), "delayed:" + DUE);
            }
        }
    }

    /// A session that does not watch, so that every run sends the same bursts.
    private static DelayedJobs delayedJobs(RedisBroker broker) {
        RedisAddress nobody = RedisAddress.parse("redis://127.0.0.1:1");
        RedisConnection nowhere = new RedisConnection(nobody, "none", LONG);
        KeyReports none = new KeyReports(broker.connect("delayed"), () -> nowhere);
        return new DelayedJobs(none.watch(_ -> true), KEYS, LOCK);
    }

    private static void moveAll(DelayedJobs delayed) {
        seeToAll(delayed, (second, some) -> delayed.move(second, QUEUE, some));
    }

    private static void postponeAll(DelayedJobs delayed) {
        long later = Long.parseLong(LATER);
        seeToAll(delayed, (second, some) -> delayed.postpone(second, later, some));
    }

    private static void seeToAll(
            DelayedJobs delayed, BiConsumer<String, List<DelayedJobs.Move>> action) {
        Optional<String> second = delayed.due().second();
        for (int i = 0; i < ROUNDS_MAX && second.isPresent(); i++) {
            action.accept(second.get(), firstTwo(delayed, second.get()));
            second = delayed.due().second();
        }
        assertThat(second).as("a second that stays due").isEmpty();
    }

    private static List<DelayedJobs.Move> firstTwo(DelayedJobs delayed, String second) {
        return delayed.first(second, 2, BYTES_MAX).stream()
                .map(job -> new DelayedJobs.Move(job, job))
                .toList();
    }

    /// These jobs, and no others, are found by their second.
    private static void assertIndexed(RedisConnection redis, String second, List<String> jids) {
        for (String jid : JIDS) {
            Object found =
                    redis.call("SISMEMBER", "app:timestamps:" + text(jid), "delayed:" + second);
            assertThat(found).as(jid).isEqualTo(jids.contains(jid) ? 1L : 0L);
        }
    }

    private static String text(String jid) {
        return new String(Places.job(jid), StandardCharsets.UTF_8);
    }

    private static List<String> jids(List<byte[]> payloads) {
        return payloads.stream().map(Places::jid).toList();
    }

    private static List<String> list(RedisConnection redis, String key) {
        List<byte[]> all = new ArrayList<>();
        if (redis.call("LRANGE", key, "0", "-1") instanceof List<?> values) {
            values.forEach(one -> all.add((byte[]) one));
        }
        return jids(all);
    }

    private static long count(RedisConnection redis, String key) {
        return redis.call("GET", key) instanceof byte[] text
                ? Long.parseLong(new String(text, StandardCharsets.UTF_8))
                : 0;
    }

    private static long count(RedisConnection redis, String key, String command) {
        return redis.call(command, key) instanceof Long count ? count : -1;
    }
}
