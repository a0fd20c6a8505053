package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Broker;
import dev.mawashi.broker.CountingBroker;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.event.Event;
import dev.mawashi.fetch.QueueOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Quiet and stop.
class CapsuleStopTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(500);

    private final MemoryBroker memory = new MemoryBroker();
    private final GatedRunner runner = new GatedRunner();
    private final List<CapsuleRig> rigs = new ArrayList<>();

    @AfterEach
    void stop() {
        runner.open();
        rigs.forEach(CapsuleRig::close);
    }

    private CapsuleRig rig(int slots, String queue) {
        return rig(memory, slots, queue);
    }

    private CapsuleRig rig(Broker broker, int slots, String queue) {
        CapsuleRig rig =
                new CapsuleRig(
                        broker,
                        runner,
                        new CapsuleSettings("test", slots, QueueOrder.strict(List.of(queue))));
        rigs.add(rig);
        return rig;
    }

    private List<String> queued() {
        return memory.queued("q").stream()
                .map(payload -> new String(payload, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void slotsThatAreHeldBackStayEmptyUntilTheyAreFree() {
        CapsuleRig rig = rig(3, "q");
        rig.push("q", "1", "2", "3", "4", "5", "6");
        rig.capsule().holdBack(3);
        rig.start();
        moment();
        assertThat(queued()).hasSize(6);

        rig.capsule().holdBack(2);
        runner.awaitRunning(1);
        rig.capsule().holdBack(3);
        moment();
        assertThat(runner.mostRunning()).isEqualTo(1);
        assertThat(queued()).hasSize(5);

        rig.capsule().holdBack(0);
        runner.awaitRunning(3);
        runner.open();
        rig.awaitEnded(6);
        assertThat(runner.mostRunning()).isEqualTo(3);
    }

    /// The older process ends while this one stops.
    @Test
    void aStopWaitsForRunsAlsoWhenSlotsAreFreedMeanwhile() throws Exception {
        CapsuleRig rig = rig(5, "q");
        rig.push("q", "1");
        rig.capsule().holdBack(3);
        rig.start();
        runner.awaitRunning(1);
        rig.capsule().quiet();
        rig.capsule().awaitGivenBack(LONG);
        Thread stop =
                Thread.ofVirtual().name("mawashi-test-1").start(() -> rig.capsule().stop(LONG));
        moment();

        rig.capsule().holdBack(0);
        moment();
        assertThat(queued()).isEmpty();
        assertThat(rig.capsule().busy()).isEqualTo(1);

        runner.open();
        stop.join();
        rig.awaitEnded(1);
        assertThat(queued()).isEmpty();
    }

    @Test
    void aQuietCapsuleCountsTheSlotsThatStillRunJobs() {
        CapsuleRig rig = rig(3, "q");
        rig.push("q", "1", "2");
        rig.capsule().holdBack(1);
        rig.start();
        runner.awaitRunning(2);

        rig.capsule().quiet();
        rig.capsule().awaitGivenBack(LONG);
        Eventually.until("the idle ones end", () -> rig.capsule().busy() == 2);
        assertThat(rig.capsule().hasEnded()).isFalse();

        runner.pass(1);
        Eventually.until("one has ended", () -> rig.capsule().busy() == 1);
        rig.capsule().holdBack(0);
        runner.pass(1);
        Eventually.until("all have ended", () -> rig.capsule().hasEnded());
        assertThat(rig.capsule().busy()).isZero();
    }

    /// Lets a moment pass in which something must not happen.
    private void moment() {
        memory.parking().awaitArrival("nothing comes here", "nobody", MOMENT);
    }

    @Test
    void quietHandsBackWhatHasNotStartedInItsOrder() {
        CapsuleRig rig = rig(1, "q");
        rig.push("q", "1", "2", "3", "4");
        rig.start();
        runner.awaitRunning(1);

        rig.capsule().quiet();
        rig.capsule().quiet();
        Eventually.until("the rest is back", () -> queued().size() == 3);

        assertThat(queued()).containsExactly("2", "3", "4");
        assertThat(rig.capsule().isQuiet()).isTrue();
        runner.open();
        rig.awaitEnded(1);
        rig.flush();
        assertThat(memory.inFlight("q")).isEmpty();
        assertThat(runner.started()).containsExactly("1");
    }

    @Test
    void stopLetsRunningJobsEndWithinItsPatience() {
        CapsuleRig rig = rig(2, "q");
        rig.push("q", "1", "2", "3");
        rig.start();
        runner.awaitRunning(2);
        Thread stopper =
                Thread.ofVirtual().name("mawashi-test-1").start(() -> rig.capsule().stop(LONG));
        Eventually.until("it is quiet", rig.capsule()::isQuiet);

        runner.open();
        Eventually.until("it has stopped", () -> !stopper.isAlive());

        rig.flush();
        assertThat(queued()).containsExactly("3");
        assertThat(memory.inFlight("q")).isEmpty();
        assertThat(runner.interrupted()).isEmpty();
        assertThat(rig.events().of(Event.StopRequeued.class)).isEmpty();
    }

    @Test
    void stopWaitsUntilTheOutcomesAreInRedis() {
        CountingBroker slow = new CountingBroker(memory);
        CapsuleRig rig = rig(slow, 1, "q");
        Lock held = new ReentrantLock();
        Thread stopper;
        held.lock();
        try {
            slow.holdSettling(held);
            rig.push("q", "1");
            rig.start();
            runner.awaitRunning(1);
            stopper =
                    Thread.ofVirtual().name("mawashi-test-1").start(() -> rig.capsule().stop(LONG));
            runner.open();
            rig.awaitEnded(1);
            moment();
            assertThat(stopper.isAlive()).isTrue();
            assertThat(rig.capsule().hasSettled()).isFalse();
        } finally {
            held.unlock();
        }

        Eventually.until("it has stopped", () -> !stopper.isAlive());
        assertThat(rig.capsule().hasSettled()).isTrue();
        assertThat(memory.inFlight("q")).isEmpty();
    }

    @Test
    void stopPutsLongJobsBackAtTheHeadThenInterruptsThemAndSettlesNoneTwice() {
        CapsuleRig rig = rig(2, "q");
        rig.push("q", "1", "2", "3", "4");
        rig.start();
        runner.awaitRunning(2);

        rig.capsule().stop(Duration.ZERO);
        rig.capsule().stop(Duration.ZERO);
        rig.flush();

        assertThat(queued()).containsExactly("1", "2", "3", "4");
        assertThat(runner.interrupted()).containsExactlyInAnyOrder("1", "2");
        assertThat(memory.inFlight("q")).isEmpty();
        assertThat(rig.events().all()).containsExactly(new Event.StopRequeued(2));
    }

    @Test
    void stopEndsAlthoughAJobWillNotListen() {
        CapsuleRig rig = rig(1, "q");
        rig.push("q", "deaf");
        rig.start();
        runner.awaitRunning(1);

        rig.capsule().stop(Duration.ZERO);
        assertThat(queued()).containsExactly("deaf");

        runner.open();
        rig.awaitEnded(1);
        rig.flush();
        assertThat(queued()).containsExactly("deaf");
        assertThat(rig.events().of(Event.SettledLate.class)).isEmpty();
    }

    @Test
    void stopMayComeBeforeStart() {
        CapsuleRig rig = rig(1, "q");
        rig.capsule().stop(Duration.ZERO);

        rig.push("q", "1");
        rig.start();
        // A moment in which it must not happen.
        memory.parking().awaitArrival("nothing comes here", "nobody", MOMENT);

        assertThat(runner.started()).isEmpty();
        assertThat(queued()).containsExactly("1");
    }
}
