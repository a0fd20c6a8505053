package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.event.Event;
import dev.mawashi.fetch.QueueOrder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SuspectsTest {
    private static final List<String> QUEUES = List.of("q");

    private final MemoryBroker broker = new MemoryBroker();
    private final GatedRunner runner = new GatedRunner();
    private final CapsuleRig rig =
            new CapsuleRig(
                    broker, runner, new CapsuleSettings("test", 2, QueueOrder.strict(QUEUES)));

    @AfterEach
    void close() {
        runner.open();
        rig.close();
    }

    /// A process that has claimed all that is queued and died.
    private void crash(String owner) {
        crash(
                owner,
                claiming ->
                        assertThat(claiming.claim(QUEUES, owner, 10, 1 << 20).leases())
                                .isNotEmpty());
    }

    private void crash(String owner, Consumer<Claiming> claim) {
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming()) {
            leasing.open(owner, QUEUES, Duration.ofMinutes(1));
            claim.accept(claiming);
            leasing.open(owner, QUEUES, Duration.ofNanos(-1));
            leasing.recover("q", "another");
        }
    }

    @Test
    void suspectsRunOneAtATime() {
        rig.push("q", "{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
        crash("a");
        crash("b");
        assertThat(broker.suspectsOf("q")).hasSize(3);

        rig.startAlone();
        CountDownLatch _ = rig.startSuspects();
        runner.awaitRunning(1);
        // A moment in which no other one must begin.
        broker.parking().awaitArrival("nothing comes here", "nobody", Duration.ofMillis(500));
        runner.open();
        rig.awaitEnded(3);

        assertThat(runner.mostRunning()).isOne();
    }

    @Test
    void nothingElseIsClaimedAndWhenNoneIsLeftItEnds() {
        rig.push("q", "{\"n\":1}");
        crash("a");
        crash("b");
        rig.push("q", "{\"n\":2}");
        runner.open();

        rig.startAlone();
        rig.runSuspects();

        assertThat(runner.started()).containsExactly("{\"n\":1}");
        assertThat(broker.queued("q")).hasSize(1);
    }

    @Test
    void onlyThoseOfQueuesThatAreServedAndNotPausedAreLookedFor() {
        List<Capsule> capsules = List.of(rig.capsule());
        assertThat(Suspects.areRunFor(capsules, "q")).isTrue();
        assertThat(Suspects.areRunFor(capsules, "gone")).isFalse();

        rig.pauses().set(Set.of("q"));

        assertThat(Suspects.areRunFor(capsules, "q")).isFalse();
    }

    @Test
    void aSuspectOfAPausedQueueWaits() {
        rig.push("q", "{\"n\":1}");
        crash("a");
        crash("b");
        rig.pauses().set(Set.of("q"));
        runner.open();
        rig.startAlone();
        rig.runSuspects();
        assertThat(runner.started()).isEmpty();

        rig.pauses().set(Set.of());

        rig.runSuspects();
        assertThat(runner.started()).hasSize(1);
    }

    @Test
    void aSuspectThatDiedAloneThreeTimesIsBuriedAndTheNextOneRuns() {
        rig.push("q", "{\"class\":\"Poison\",\"args\":[],\"jid\":\"p\"}");
        crash("a");
        crash("b");
        for (int i = 0; i < 3; i++) {
            String owner = "alone" + i;
            crash(owner, claiming -> assertThat(claiming.claimSuspect(QUEUES, owner)).isPresent());
        }
        rig.push("q", "{\"n\":2}");
        crash("c");
        crash("d");
        runner.open();

        rig.startAlone();
        rig.runSuspects();

        assertThat(broker.dead()).hasSize(1);
        assertThat(runner.started()).containsExactly("{\"n\":2}");
        assertThat(rig.events().of(Event.SuspectGivenUp.class))
                .containsExactly(
                        new Event.SuspectGivenUp(new Event.JobName("q", "Poison", "p"), 3));
    }

    @Test
    void aSuspectThatDiedAloneTwiceRunsOnceMore() {
        rig.push("q", "{\"n\":1}");
        crash("a");
        crash("b");
        for (int i = 0; i < 2; i++) {
            String owner = "alone" + i;
            crash(owner, claiming -> assertThat(claiming.claimSuspect(QUEUES, owner)).isPresent());
        }
        runner.open();

        rig.startAlone();
        rig.runSuspects();

        assertThat(runner.started()).containsExactly("{\"n\":1}");
        assertThat(broker.dead()).isEmpty();
    }

    @Test
    void aQuietCapsuleLeavesTheOtherSuspectsWhereTheyAre() {
        rig.push("q", "{\"n\":1}", "{\"n\":2}");
        crash("a");
        crash("b");
        rig.startAlone();
        CountDownLatch _ = rig.startSuspects();
        runner.awaitRunning(1);

        rig.capsule().quiet();
        runner.open();
        rig.awaitEnded(1);
        rig.capsule().stop(Duration.ofSeconds(20));
        rig.flush();

        Eventually.until("the first is settled", () -> broker.inFlight("q").isEmpty());
        assertThat(broker.queued("q")).isEmpty();
        assertThat(broker.suspectsOf("q")).hasSize(1);
    }
}
