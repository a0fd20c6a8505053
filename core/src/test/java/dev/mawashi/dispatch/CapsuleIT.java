package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.CountingBroker;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapsuleIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(20);

    private final RedisConnection redis = SERVER.connect();
    private final CountingRunner runner = new CountingRunner();
    private final List<CapsuleRig> rigs = new ArrayList<>();

    /// Counts the runs of each payload.
    private static final class CountingRunner implements Runner {
        private final Map<String, Integer> runs = new ConcurrentHashMap<>();

        @Override
        public RunnerSlot openSlot() {
            return new RunnerSlot() {
                @Override
                public String jobName() {
                    return "CountedJob";
                }

                @Override
                public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
                    return Optional.of(payload);
                }

                @Override
                public Outcome run(String queue, byte[] payload) {
                    String text = new String(payload, StandardCharsets.UTF_8);
                    runs.merge(text, 1, Integer::sum);
                    if (text.contains("slow")) {
                        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                    }
                    return text.contains("fail")
                            ? new Outcome.Failed("E", "no", List.of())
                            : Outcome.SUCCEEDED;
                }

                @Override
                public void interrupt() {}

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {}
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void stop() {
        rigs.forEach(CapsuleRig::close);
        redis.close();
    }

    private CapsuleRig rig(Runner used, int slots, String... queues) {
        CapsuleRig rig =
                new CapsuleRig(
                        new RedisBroker(SERVER.address(), DeadLimits.DEFAULT),
                        used,
                        new CapsuleSettings("test", slots, QueueOrder.strict(List.of(queues))));
        rigs.add(rig);
        return rig;
    }

    private static String[] jobs(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"jid\":\"" + i + "\"}")
                .toArray(String[]::new);
    }

    private void awaitRuns(int jobs) {
        Eventually.until(jobs + " jobs ran", LONG, () -> runner.runs.size() >= jobs);
        rigs.forEach(CapsuleRig::flush);
    }

    /// Nothing is left in the queue or held by anyone but the floors of given-up claims.
    private void assertNothingLeft() {
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(0L);
        assertThat(redis.call("KEYS", "mw:{queue:q}:arrivals*")).isEqualTo(List.of());
        // A run counts as ended a moment before its outcome is handed on.
        Eventually.until("nothing is in flight", this::isNothingInFlight);
    }

    private boolean isNothingInFlight() {
        return redis.call("KEYS", "mw:{queue:q}:inflight:*") instanceof List<?> keys
                && keys.stream()
                        .map(key -> new String((byte[]) key, StandardCharsets.UTF_8))
                        .allMatch(this::holdsNoJob);
    }

    private boolean holdsNoJob(String inflight) {
        return Objects.equals(
                redis.call("HLEN", inflight), redis.call("HEXISTS", inflight, "floor"));
    }

    @Test
    void twoCapsulesInCompetitionRunEachOf20000JobsOnce() {
        CapsuleRig one = rig(runner, 10, "q");
        CapsuleRig two = rig(runner, 10, "q");
        one.push("q", jobs(20_000));
        one.start();
        two.start();
        awaitRuns(20_000);

        assertThat(runner.runs).hasSize(20_000).allSatisfy((_, runs) -> assertThat(runs).isOne());
        assertNothingLeft();
        assertThat(one.events().of(Event.SettledLate.class)).isEmpty();
        assertThat(two.events().of(Event.SettledLate.class)).isEmpty();
    }

    @Test
    void cutConnectionsMakeNoJobRunTwiceOrNever() {
        CapsuleRig one = rig(runner, 5, "q");
        CapsuleRig two = rig(runner, 5, "q");
        one.start();
        two.start();
        for (int i = 0; i < 20; i++) {
            one.push(
                    "q",
                    IntStream.range(i * 200, i * 200 + 200)
                            .mapToObj(n -> "{\"jid\":\"" + n + "\"}")
                            .toArray(String[]::new));
            redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        }
        awaitRuns(4_000);

        assertThat(runner.runs).hasSize(4_000).allSatisfy((_, runs) -> assertThat(runs).isOne());
        rigs.forEach(rig -> rig.capsule().stop(LONG));
        rigs.forEach(CapsuleRig::flush);
        assertNothingLeft();
        rigs.forEach(rig -> assertThat(rig.events().of(Event.SettledLate.class)).isEmpty());
    }

    @Test
    void connectionsThatAreCutWhileClaimsAreUnderWayMakeNoJobRunTwiceOrNever() {
        CapsuleRig one = rig(runner, 2, "q");
        one.push("q", jobs(50_000));
        one.start();
        for (int i = 1; i <= 15; i++) {
            int ran = i * 2_000;
            Eventually.until(ran + " jobs ran", LONG, () -> runner.runs.size() >= ran);
            redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        }
        awaitRuns(50_000);

        assertThat(runner.runs).hasSize(50_000).allSatisfy((_, runs) -> assertThat(runs).isOne());
        assertNothingLeft();
        assertThat(one.events().of(Event.SettledLate.class)).isEmpty();
    }

    @Test
    void quietWhileTwoClaimsAreUnderWayHandsAllBackInTheirOrder() {
        CountingBroker broker =
                new CountingBroker(new RedisBroker(SERVER.address(), DeadLimits.DEFAULT));
        CapsuleRig rig =
                new CapsuleRig(
                        broker,
                        runner,
                        new CapsuleSettings("test", 2, QueueOrder.strict(List.of("q"))));
        rigs.add(rig);
        broker.onTwoUnderWay(rig.capsule()::quiet);
        rig.push("q", jobs(200_000));
        rig.start();
        Eventually.until("it is quiet", LONG, rig.capsule()::isQuiet);

        rig.capsule().stop(LONG);
        rig.flush();

        int ran = runner.runs.size();
        assertThat(queued()).containsExactly(Arrays.copyOfRange(jobs(200_000), ran, 200_000));
        assertThat(isNothingInFlight()).isTrue();
    }

    @Test
    void aJobPushedToAnIdleServerRunsWithoutPolling() {
        CapsuleRig rig = rig(runner, 2, "other", "q");
        rig.start();
        for (int i = 0; i < 50; i++) {
            rig.push("q", "{\"jid\":\"" + i + "\"}");
            awaitRuns(i + 1);
        }

        assertNothingLeft();
    }

    @Test
    void aJobThatArrivedIsInFlightWhileItRunsThoughNothingElseHappens() {
        GatedRunner gated = new GatedRunner();
        CapsuleRig rig = rig(gated, 1, "q");
        rig.start();
        Eventually.until("it is parked", () -> clients().contains("blocked_clients:1"));

        rig.push("q", "1");
        gated.awaitRunning(1);

        Eventually.until("the job is in flight", () -> !isNothingInFlight());
        assertThat(redis.call("KEYS", "mw:{queue:q}:arrivals*")).isEqualTo(List.of());
        gated.open();
    }

    private String clients() {
        return redis.call("INFO", "clients") instanceof byte[] info
                ? new String(info, StandardCharsets.UTF_8)
                : "";
    }

    @Test
    void quietHandsBackWhatHasNotStartedInItsOrder() {
        GatedRunner gated = new GatedRunner();
        CapsuleRig rig = rig(gated, 2, "q");
        rig.push("q", "1", "2", "3", "4", "5", "6");
        rig.start();
        gated.awaitRunning(2);

        rig.capsule().quiet();
        Eventually.until(
                "the rest is back", () -> Long.valueOf(4).equals(redis.call("LLEN", "queue:q")));

        assertThat(queued()).containsExactly("3", "4", "5", "6");
        rig.capsule().stop(Duration.ZERO);
        rig.flush();
        assertThat(queued()).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(rig.events().of(Event.SettledLate.class)).isEmpty();
    }

    private List<String> queued() {
        List<String> texts = new ArrayList<>();
        if (redis.call("LRANGE", "queue:q", "0", "-1") instanceof List<?> payloads) {
            payloads.forEach(p -> texts.add(new String((byte[]) p, StandardCharsets.UTF_8)));
        }
        return texts.reversed();
    }

    @Test
    void aFullServerIsDrained() {
        CapsuleRig rig = rig(runner, 3, "q");
        rig.push("q", jobs(500));
        rig.push("q", "{\"jid\":\"fail\"}");
        redis.call("CONFIG", "SET", "maxmemory", "1");
        try {
            rig.start();
            awaitRuns(501);
        } finally {
            redis.call("CONFIG", "SET", "maxmemory", "0");
        }
        assertNothingLeft();
        assertThat(redis.call("ZCARD", "retry")).isEqualTo(1L);
    }

    @Test
    void aQueueOfAWrongTypeDoesNotSlowTheOthersAndIsToldOnceAndOnceWhenItIsPutRight() {
        redis.call("SET", "queue:odd", "no list");
        CapsuleRig rig = rig(runner, 1, "odd", "q");
        String[] jobs = new String[2_000];
        Arrays.setAll(jobs, i -> "{\"jid\":\"slow" + i + "\"}");
        rig.push("q", jobs);
        rig.start();

        // As many claims as there are hundreds of jobs, at least.
        awaitRuns(2_000);

        assertNothingLeft();
        redis.call("DEL", "queue:odd");
        Eventually.until(
                "its end is told", () -> !rig.events().of(Event.QueuesUsable.class).isEmpty());
        assertThat(rig.events().of(Event.OfClaiming.class))
                .containsExactly(
                        new Event.QueuesUnusable(List.of("odd")),
                        new Event.QueuesUsable(List.of("odd")));
    }

    @Test
    void forgottenScriptsAreNoError() {
        CapsuleRig rig = rig(runner, 3, "q");
        rig.start();
        for (int i = 0; i < 100; i++) {
            redis.call("SCRIPT", "FLUSH");
            rig.push("q", "{\"jid\":\"" + i + "\"}");
        }
        awaitRuns(100);

        assertNothingLeft();
        assertThat(rig.events().of(Event.BrokerDown.class)).isEmpty();
    }
}
