package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.fetch.QueueOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SolitudeTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(30);

    private final MemoryBroker broker = new MemoryBroker();
    private final Solitude solitude = new Solitude();
    private final GatedRunner runner = new GatedRunner();
    private final CapsuleRig one = rig("one");
    private final CapsuleRig two = rig("two");

    private CapsuleRig rig(String queue) {
        QueueOrder order = QueueOrder.strict(List.of(queue));
        return new CapsuleRig(broker, runner, new CapsuleSettings(queue, 2, order), solitude);
    }

    @AfterEach
    void close() {
        runner.open();
        one.close();
        two.close();
    }

    @Test
    void noneIsAloneWhileAnotherRunsAJob() {
        two.start();
        two.push("two", "1");
        runner.awaitRunning(1);

        assertThat(solitude.enter(one.capsule(), SHORT)).isFalse();

        runner.open();
        assertThat(solitude.enter(one.capsule(), LONG)).isTrue();
    }

    @Test
    void theOthersStartNothingUntilItIsLeft() {
        two.start();
        assertThat(solitude.enter(one.capsule(), LONG)).isTrue();
        two.push("two", "1", "2", "3");
        // Another process goes through all that a capsule does, so this one had the time to.
        GatedRunner open = new GatedRunner();
        open.open();
        QueueOrder order = QueueOrder.strict(List.of("three"));
        try (CapsuleRig other =
                new CapsuleRig(broker, open, new CapsuleSettings("three", 2, order))) {
            other.start();
            other.push("three", "1");
            other.awaitEnded(1);
        }
        assertThat(two.capsule().running()).isEmpty();
        assertThat(two.capsule().counters().ended()).isZero();

        solitude.leave(one.capsule());

        runner.open();
        Eventually.until("all have run", () -> two.capsule().counters().ended() == 3);
    }

    @Test
    void onlyOneIsAloneAtATime() {
        assertThat(solitude.enter(one.capsule(), LONG)).isTrue();
        assertThat(solitude.enter(two.capsule(), LONG)).isFalse();

        solitude.leave(one.capsule());

        assertThat(solitude.enter(two.capsule(), LONG)).isTrue();
    }

    @Test
    void aCapsuleThatEndedHoldsUpNobody() {
        two.start();
        two.capsule().stop(LONG);

        assertThat(solitude.enter(one.capsule(), LONG)).isTrue();
    }

    @Test
    void aHeldCapsuleCanBeStopped() {
        two.start();
        assertThat(solitude.enter(one.capsule(), LONG)).isTrue();
        two.push("two", "1");

        two.capsule().stop(LONG);

        assertThat(two.capsule().counters().ended()).isZero();
    }
}
