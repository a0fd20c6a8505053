package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.fetch.QueueOrder;
import java.time.Duration;
import java.util.List;
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
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming()) {
            leasing.open(owner, QUEUES, Duration.ofMinutes(1));
            assertThat(claiming.claim(QUEUES, owner, 10, 1 << 20).leases()).isNotEmpty();
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
        rig.start();

        rig.capsule().onSuspects();
        runner.awaitRunning(1);
        // A moment in which no other one must begin.
        broker.parking().awaitArrival("nothing comes here", Duration.ofMillis(500));
        runner.open();
        rig.awaitEnded(3);

        assertThat(runner.mostRunning()).isOne();
    }

    @Test
    void aQuietCapsuleLeavesTheOtherSuspectsWhereTheyAre() {
        rig.push("q", "{\"n\":1}", "{\"n\":2}");
        crash("a");
        crash("b");
        rig.start();
        rig.capsule().onSuspects();
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
