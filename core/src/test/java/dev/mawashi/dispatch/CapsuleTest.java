package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.CountingBroker;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.event.Event;
import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.fetch.QueueOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CapsuleTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(500);

    private final MemoryBroker memory = new MemoryBroker();
    private final CountingBroker broker = new CountingBroker(memory);
    private final GatedRunner runner = new GatedRunner();
    private final List<CapsuleRig> rigs = new ArrayList<>();

    @AfterEach
    void stop() {
        runner.open();
        rigs.forEach(CapsuleRig::close);
    }

    private CapsuleRig rig(Runner used, int slots, String... queues) {
        CapsuleRig rig =
                new CapsuleRig(
                        broker,
                        used,
                        new CapsuleSettings("test", slots, QueueOrder.strict(List.of(queues))));
        rigs.add(rig);
        return rig;
    }

    private CapsuleRig rig(int slots, String... queues) {
        return rig(runner, slots, queues);
    }

    private List<String> queued() {
        return texts(memory.queued("q"));
    }

    private static List<String> texts(List<byte[]> payloads) {
        return payloads.stream().map(p -> new String(p, StandardCharsets.UTF_8)).toList();
    }

    /// Lets a moment pass in which something must not happen.
    private void moment() {
        memory.parking().awaitArrival("nothing comes here", "nobody", MOMENT);
    }

    @Test
    void noMoreJobsRunAtOnceThanThereAreSlots() {
        CapsuleRig rig = rig(3, "q");
        rig.push(
                "q",
                IntStream.range(0, 50).mapToObj(i -> "{\"n\":" + i + "}").toArray(String[]::new));
        rig.start();
        runner.awaitRunning(3);

        runner.open();
        rig.awaitEnded(50);

        assertThat(runner.mostRunning()).isEqualTo(3);
        assertThat(runner.started()).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void whatGoesBackToItsQueueIsNotOvertakenHoweverLongThatTakes() {
        CapsuleRig rig = rig(1, "q");
        ReentrantLock hold = new ReentrantLock();
        rig.push("q", "j1", "j2", "j3", "j4");
        rig.start();
        runner.awaitRunning(1);
        hold.lock();
        try {
            broker.holdSettling(hold);
            Eventually.until(
                    "the second one goes back",
                    () -> memory.inFlight("q").size() == 2 && hold.hasQueuedThreads());
            runner.pass(1);
            moment();
        } finally {
            hold.unlock();
        }
        runner.open();
        rig.awaitEnded(4);

        assertThat(runner.started()).containsExactly("j1", "j2", "j3", "j4");
    }

    @Test
    void anEarlierQueueIsEmptiedFirst() {
        CapsuleRig rig = rig(1, "high", "low");
        rig.push("low", "l1", "l2", "l3");
        rig.push("high", "h1", "h2", "h3");
        runner.open();
        rig.start();
        rig.awaitEnded(6);

        assertThat(runner.started()).containsExactly("h1", "h2", "h3", "l1", "l2", "l3");
    }

    @Test
    void aJobPushedToAnIdleCapsuleRuns() {
        CapsuleRig rig = rig(2, "other", "q");
        runner.open();
        rig.start();
        for (int i = 1; i <= 20; i++) {
            rig.push("q", "{\"n\":" + i + "}");
            rig.awaitEnded(i);
        }

        rig.flush();
        assertThat(memory.inFlight("q")).isEmpty();
    }

    @Test
    void eachOutcomeGoesItsWay() {
        CapsuleRig rig = rig(2, "q");
        rig.push("q", "{\"jid\":\"ok\"}", "{\"jid\":\"fail\"}", "{\"retry\":0,\"jid\":\"fail\"}");
        runner.open();
        rig.start();
        rig.awaitEnded(3);
        rig.flush();

        assertThat(texts(memory.scheduled(Scheduling.From.RETRY)).toString()).contains("fail");
        assertThat(texts(memory.dead()).toString()).contains("\"retry\":0");
        assertThat(memory.inFlight("q")).isEmpty();
        assertThat(rig.capsule().counters().failed()).isEqualTo(2);
    }

    @Test
    void aRunnerThatThrowsFailsTheJobAndTheSlotGoesOn() {
        CapsuleRig rig = rig(1, "q");
        rig.push("q", "{\"jid\":\"throw\"}", "{\"jid\":\"2\"}");
        runner.open();
        rig.start();
        rig.awaitEnded(2);
        rig.flush();

        assertThat(texts(memory.scheduled(Scheduling.From.RETRY)).toString())
                .contains("java.lang.IllegalStateException", "a runner's defect");
        assertThat(rig.events().of(Event.Defect.class)).hasSize(1);
        assertThat(memory.inFlight("q")).isEmpty();
    }

    @Test
    void aSlotThatCannotOpenIsToldAndTheOthersDoTheWork() {
        AtomicInteger opened = new AtomicInteger();
        CapsuleRig rig = rig(failingToOpen(opened, 2), 3, "q");
        rig.push("q", "1", "2", "3");
        runner.open();
        rig.start();
        rig.awaitEnded(3);

        assertThat(rig.events().of(Event.Defect.class)).hasSize(2);
    }

    @Test
    void withoutAnySlotNoJobIsKept() {
        CapsuleRig rig = rig(failingToOpen(new AtomicInteger(), 3), 3, "q");
        rig.push("q", "1", "2", "3");
        rig.start();
        Eventually.until("all slots fail", () -> rig.events().of(Event.Defect.class).size() == 3);

        rig.capsule().stop(LONG);
        rig.flush();

        assertThat(queued()).containsExactly("1", "2", "3");
    }

    /// A runner whose first slots cannot be opened.
    private Runner failingToOpen(AtomicInteger opened, int failures) {
        return new Runner() {
            @Override
            public RunnerSlot openSlot() {
                if (opened.incrementAndGet() <= failures) {
                    throw new IllegalStateException("no slot");
                }
                return runner.openSlot();
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void jobsHeldReadyBehindALongOneGoToWhoeverIsFree() {
        CapsuleRig busy = rig(2, "q");
        busy.push("q", "1", "2", "3", "4");
        busy.start();
        runner.awaitRunning(2);
        GatedRunner free = new GatedRunner();
        free.open();
        CapsuleRig other = rig(free, 1, "q");

        other.start();
        other.awaitEnded(2);

        assertThat(free.started()).containsExactlyInAnyOrder("3", "4");
        assertThat(runner.running()).isEqualTo(2);
    }

    @Test
    void aThreadBearsTheNameOfItsCapsuleUnlessThatIsTheDefaultOne() {
        CapsuleRig rig = rig(1, "q");
        rig.push("q", "1");
        rig.start();
        runner.awaitRunning(1);

        assertThat(rig.capsule().running().getFirst().thread()).isEqualTo("mawashi-slot-test-1");
        assertThat(new CapsuleSettings("default", 1, QueueOrder.strict(List.of("q"))))
                .returns("mawashi-claim-", settings -> settings.threadName("claim"));
    }

    @Test
    void whileAllSlotsAreBusyAndTheQueueIsEmptyNothingIsClaimed() {
        CapsuleRig rig = rig(2, "q");
        rig.push("q", "1", "2");
        rig.start();
        runner.awaitRunning(2);
        moment();
        int before = broker.claims();

        moment();

        assertThat(broker.claims()).isEqualTo(before);
    }

    @Test
    void whileAllSlotsAreBusyJobsAreNotClaimedAndGivenBackAllTheTime() {
        CapsuleRig rig = rig(2, "q");
        rig.push("q", "1", "2", "3", "4", "5", "6");
        rig.start();
        runner.awaitRunning(2);
        Eventually.until(
                "what was held ready is back",
                () -> !rig.events().of(Event.PrefetchReturned.class).isEmpty());
        int before = broker.claims();

        moment();

        assertThat(broker.claims()).isEqualTo(before);
        assertThat(rig.events().of(Event.PrefetchReturned.class)).hasSize(1);
        assertThat(queued()).containsExactly("3", "4", "5", "6");
    }

    @Test
    void anIdleCapsuleClaimsNothing() {
        CapsuleRig rig = rig(2, "q");
        rig.start();
        Eventually.until("it has looked", () -> broker.claims() > 0);
        moment();
        int before = broker.claims();

        moment();

        assertThat(broker.claims()).isEqualTo(before);
    }
}
