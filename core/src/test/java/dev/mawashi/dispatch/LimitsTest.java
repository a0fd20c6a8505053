package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.event.Event;
import dev.mawashi.fetch.QueueOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs on threads that run for too long, or that an operator has cancelled.
class LimitsTest {
    private final MemoryBroker memory = new MemoryBroker();
    private final GatedRunner runner = new GatedRunner();
    private final List<CapsuleRig> rigs = new ArrayList<>();

    @AfterEach
    void stop() {
        runner.open();
        rigs.forEach(CapsuleRig::close);
    }

    /// @param limit of the queue `slow`
    private CapsuleRig rig(int slots, Duration limit) {
        CapsuleRig rig =
                new CapsuleRig(
                        memory,
                        runner,
                        new CapsuleSettings(
                                "test",
                                slots,
                                QueueOrder.strict(List.of("q", "slow")),
                                new TimeLimits(
                                        Map.of("slow", limit), null, Duration.ofMillis(400))));
        rigs.add(rig);
        rig.start();
        return rig;
    }

    private static String job(String jid, String more) {
        return "{\"class\":\"A\",\"args\":[],\"jid\":\"" + jid + "\"" + more + "}";
    }

    private List<String> retried() {
        return memory.scheduled(Scheduling.From.RETRY).stream()
                .map(payload -> new String(payload, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void aJobFailsThatRunsLongerThanItsQueueOrItsPayloadAllows() {
        CapsuleRig rig = rig(4, Duration.ofMillis(300));
        rig.push("slow", job("slow", ",\"time_limit\":3600"));
        rig.push("q", job("own", ",\"time_limit\":0.5"), job("free", ""));
        rig.awaitEnded(2);
        rig.flush();

        assertThat(retried())
                .hasSize(2)
                .allMatch(job -> job.contains("\"error_class\":\"Mawashi::TimeLimitExceeded\""))
                .anyMatch(job -> job.contains("ran longer than its time limit of 0.3 s"))
                .anyMatch(job -> job.contains("ran longer than its time limit of 0.5 s"));
        runner.pass(1);
        rig.awaitEnded(3);
        rig.flush();
        assertThat(retried()).hasSize(2);
        assertThat(rig.capsule().stuck()).isEqualTo(Stuck.NONE);
    }

    @Test
    void otherLimitsCountForJobsThatRunToo() {
        CapsuleRig rig = rig(2, Duration.ofHours(1));
        rig.push("slow", job("slow", ""));
        rig.push("q", job("own", ",\"time_limit\":3600"));
        runner.awaitRunning(2);

        rig.capsule().limit(new TimeLimits(Map.of("slow", Duration.ofMillis(200)), null));
        rig.awaitEnded(1);
        rig.capsule().limit(new TimeLimits(Map.of(), Duration.ofMillis(100)));
        rig.awaitEnded(2);
        rig.flush();

        assertThat(retried())
                .hasSize(2)
                .anyMatch(job -> job.contains("time limit of 0.2 s") && job.contains("\"slow\""))
                .anyMatch(job -> job.contains("time limit of 0.1 s") && job.contains("\"own\""));
    }

    @Test
    void aHigherLimitSparesJobs() {
        CapsuleRig rig = rig(1, Duration.ofMillis(1));
        rig.capsule().limit(TimeLimits.NONE);
        rig.push("slow", job("spared", ""));
        runner.awaitRunning(1);
        rig.push("q", job("cut", ",\"time_limit\":0.3"));
        runner.pass(1);
        rig.awaitEnded(2);
        rig.flush();

        assertThat(retried()).singleElement().asString().contains("\"cut\"");
    }

    @Test
    void aJobFailsThatBeginsWhileTheWatchSleepsSinceNothingRan() {
        CapsuleRig rig = rig(1, Duration.ofMillis(100));
        runner.pass(1);
        rig.push("q", job("quick", ""));
        rig.awaitEnded(1);
        Eventually.until("the watch sleeps", LimitsTest::isWatchAsleep);

        rig.push("slow", job("slow", ""));
        rig.awaitEnded(2);
        rig.flush();
        assertThat(retried()).singleElement().asString().contains("time limit of 0.1 s");
    }

    private static boolean isWatchAsleep() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread ->
                        thread.getName().equals("mawashi-limit-test-1")
                                && LockSupport.getBlocker(thread) instanceof Nap);
    }

    @Test
    void aJobThatDoesNotEndIsSettledAndItsThreadReplaced() {
        CapsuleRig rig = rig(1, Duration.ofMillis(100));
        rig.push("slow", job("deaf", ""));
        rig.awaitEnded(1);
        rig.flush();

        assertThat(retried()).singleElement().asString().contains("time limit of 0.1 s", "deaf");
        assertThat(memory.inFlight("slow")).isEmpty();
        assertThat(rig.capsule().stuck()).isEqualTo(new Stuck(1, 1));
        assertThat(rig.capsule().isIdle()).isTrue();
        Eventually.until("it is told", () -> !rig.events().of(Event.SlotStuck.class).isEmpty());
        assertThat(rig.events().of(Event.SlotStuck.class))
                .containsExactly(
                        new Event.SlotStuck(
                                "mawashi-slot-test-1",
                                new Event.JobName("slow", "A", "deaf"),
                                1,
                                true));
        rig.push("q", job("next", ""));
        runner.awaitRunning(2);

        // The late end settles nothing, and its thread goes.
        runner.open();
        rig.awaitEnded(2);
        Eventually.until("no thread is stuck", () -> rig.capsule().stuck().threads() == 0);
        rig.flush();
        assertThat(retried()).hasSize(1);
        assertThat(rig.events().of(Event.SettledLate.class)).isEmpty();
        assertThat(rig.capsule().counters().ended()).isEqualTo(2);
        assertThat(runner.mostRunning()).isEqualTo(2);
    }

    @Test
    void onlySoManyLostThreadsAreReplacedAndTheOthersComeBackWithTheirJob() {
        CapsuleRig rig = rig(2, Duration.ofMillis(100));
        for (int i = 0; i < 4; i++) {
            rig.push("slow", job("deaf" + i, ""));
        }
        rig.awaitEnded(4);
        assertThat(rig.capsule().stuck()).isEqualTo(new Stuck(4, 2));
        rig.push("q", job("waits", ""));
        assertThat(runner.started()).hasSize(4);

        runner.open();
        rig.awaitEnded(5);
        Eventually.until("all are back", () -> rig.capsule().stuck().threads() == 0);
        rig.push("q", job("a", ""), job("b", ""));
        rig.awaitEnded(7);
        rig.flush();
        assertThat(memory.inFlight("q")).isEmpty();
        assertThat(retried()).hasSize(4);
    }

    @Test
    void aStopDoesNotWaitForThreadsThatAreLost() {
        CapsuleRig rig = rig(1, Duration.ofMillis(100));
        rig.push("slow", job("deaf1", ""), job("deaf2", ""));
        rig.awaitEnded(2);
        rig.push("q", job("deaf3", ""));
        Thread stop =
                Thread.ofVirtual()
                        .name("mawashi-test-1")
                        .start(() -> rig.capsule().stop(Duration.ofMinutes(5)));
        Eventually.until("it has stopped", () -> !stop.isAlive());
        rig.flush();

        assertThat(memory.queued("q")).hasSize(1);
        assertThat(retried()).hasSize(2);
    }

    @Test
    void aCancelledJobThatRunsIsEndedAndOneThatWaitsNeverBegins() {
        CapsuleRig rig = rig(1, Duration.ofHours(1));
        rig.push("q", job("runs", ""), job("waits", ""), job("other", ""));
        runner.awaitRunning(1);

        rig.cancelled().set(Set.of("runs", "waits"));
        Eventually.until("the next runs", () -> runner.started().size() == 2);
        runner.open();
        rig.awaitEnded(2);
        rig.flush();

        assertThat(runner.started()).last().asString().contains("other");
        assertThat(rig.events().of(Event.JobCancelled.class))
                .extracting(event -> event.job().jid())
                .containsExactly("runs", "waits");
        assertThat(retried()).isEmpty();
        assertThat(memory.inFlight("q")).isEmpty();
        assertThat(memory.queued("q")).isEmpty();
    }

    @Test
    void aCancelledJobThatFailsIsNotRetriedAndOneThatSucceedsIsDone() {
        CapsuleRig rig = rig(2, Duration.ofHours(1));
        rig.push("q", job("deaf-fail", ""), job("deaf-done", ""));
        runner.awaitRunning(2);
        rig.cancelled().set(Set.of("deaf-fail", "deaf-done"));
        runner.open();
        rig.awaitEnded(2);
        rig.flush();

        assertThat(rig.events().of(Event.JobCancelled.class))
                .extracting(event -> event.job().jid())
                .containsExactly("deaf-fail");
        assertThat(retried()).isEmpty();
        assertThat(memory.inFlight("q")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"30,30000", "0.5,500", "0,-1", "-3,-1", "\"5\",-1", "null,-1", "1e300,-1", "[],-1"})
    void onlyAPositiveNumberOfSecondsIsALimit(String written, long millis) {
        byte[] payload = job("1", ",\"time_limit\":" + written).getBytes(StandardCharsets.UTF_8);

        assertThat(TimeLimits.NONE.nanos(new Lease("q", "me", 1, payload)))
                .isEqualTo(millis < 0 ? TimeLimits.UNLIMITED : millis * 1_000_000);
    }

    @Test
    void aPayloadThatIsNoJobHasTheLimitOfItsQueue() {
        TimeLimits limits = new TimeLimits(Map.of("slow", Duration.ofSeconds(3)), null);

        assertThat(limits.nanos(new Lease("slow", "me", 1, new byte[] {'{'})))
                .isEqualTo(3_000_000_000L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeLimits(Map.of("q", Duration.ZERO), null))
                .withMessageContaining("queue \"q\"");
    }
}
