package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {
    private static final List<String> QUEUES = List.of("high", "low");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final MemoryBroker broker = new MemoryBroker();
    private final RecordedEvents events = new RecordedEvents();
    private final Epoch epoch = new Epoch("me");
    private final LeaseKeeper keeper =
            new LeaseKeeper(
                    broker.leasing(),
                    epoch,
                    QUEUES,
                    new LeaseSettings(SECOND, SECOND),
                    _ -> {},
                    events,
                    new Outage(events, System::nanoTime));

    @AfterEach
    void stop() {
        keeper.stop(LONG);
    }

    private List<String> claim(String owner) {
        return broker.claiming().claim(QUEUES, owner, 10, 1 << 20).leases().stream()
                .map(lease -> new String(lease.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    private void push(String... payloads) {
        Enqueuing enqueuing = broker.enqueuing();
        for (String payload : payloads) {
            enqueuing.push("low", List.of(payload.getBytes(StandardCharsets.UTF_8)));
        }
        enqueuing.flush();
    }

    @Test
    void afterStartTheOwnerMayClaimAndStartJobs() {
        assertThat(epoch.isLeased(System.nanoTime())).isFalse();
        push("1");

        keeper.start();

        assertThat(epoch.isLeased(System.nanoTime())).isTrue();
        assertThat(claim("me#0")).containsExactly("1");
    }

    @Test
    void theLocalLeaseEndsNoLaterThanTheRealOne() {
        long before = System.nanoTime();
        keeper.start();

        assertThat(epoch.isLeased(before)).isTrue();
        assertThat(epoch.isLeased(System.nanoTime() + SECOND.toNanos())).isFalse();
    }

    @Test
    void anOwnerThatWasRecoveredGoesOnUnderANewName() {
        keeper.start();
        push("1", "2");
        assertThat(claim("me#0")).hasSize(2);

        try (Leasing other = broker.leasing()) {
            Eventually.until(
                    "others recover it",
                    () -> {
                        other.open("me#0", List.of("low"), SECOND.negated());
                        return !other.recover("low", "").owners().isEmpty();
                    });
        }
        Eventually.until("a new epoch", () -> epoch.owner().equals("me#1"));
        Eventually.until("it is leased", () -> !claimable().isEmpty());
        Eventually.until("it is told", () -> !events.of(Event.OwnerFenced.class).isEmpty());

        assertThat(events.of(Event.OwnerFenced.class))
                .containsExactly(new Event.OwnerFenced("me#0", "me#1"));
    }

    private List<String> claimable() {
        return claim("me#1");
    }

    @Test
    void stopGivesBackWhatIsStillHeld() {
        keeper.start();
        push("1", "2");
        claim("me#0");

        keeper.stop(LONG);
        keeper.stop(LONG);

        try (Claiming claiming = broker.claiming();
                Leasing leasing = broker.leasing()) {
            leasing.open("other", QUEUES, LONG);
            assertThat(claiming.claim(QUEUES, "other", 10, 1 << 20).leases()).hasSize(2);
        }
    }

    @Test
    void stopMayComeBeforeStart() {
        keeper.stop(LONG);

        assertThat(events.all()).isEmpty();
    }

    @Test
    void leasesHaveSensibleLengths() {
        assertThatThrownBy(() -> new LeaseSettings(Duration.ofMillis(999), SECOND))
                .hasMessageContaining("must be 1 s to 1 h");
        assertThatThrownBy(() -> new LeaseSettings(Duration.ofHours(2), SECOND))
                .hasMessageContaining("must be 1 s to 1 h");
        assertThatThrownBy(() -> new LeaseSettings(SECOND, Duration.ofMillis(99)))
                .hasMessageContaining("must be 0.1 s to 1 h");
    }
}
