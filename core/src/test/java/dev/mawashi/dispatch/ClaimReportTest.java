package dev.mawashi.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.metrics.RunTallies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ClaimReportTest {
    private static final Claiming.Met NOTHING = new Claiming.Met(List.of(), Set.of());
    private static final List<String> HUNDRED =
            IntStream.range(100, 200).mapToObj(i -> "q" + i).toList();

    private final RunTallies tallies = new RunTallies(true);
    private long nanos;
    private final RecordedEvents events = new RecordedEvents();
    private final ClaimReport report = new ClaimReport(events, tallies.waits(), () -> nanos);
    private long token;

    private Lease lease(String queue, long enqueuedAt) {
        byte[] payload = ("{\"enqueued_at\":" + enqueuedAt + "}").getBytes(UTF_8);
        return new Lease(queue, "owner", ++token, payload);
    }

    private static Claiming.Claimed claimed(Lease... leases) {
        return new Claiming.Claimed(List.of(leases), false, NOTHING, 0, 0);
    }

    @Test
    void ofTheJobsOfAQueueOneIsLookedAtForAll() {
        // Ahead of this clock, so that none has waited however slow this is.
        long now = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        report.publish(
                claimed(lease("quick", now), lease("quick", now), lease("quick", now)),
                QueueOrder.NONE);
        report.publish(
                claimed(lease("quick", now), lease("slow", 1_000), lease("slow", 1_000)),
                QueueOrder.NONE);
        report.publish(Claiming.Claimed.NOTHING, QueueOrder.NONE);

        List<Long> waits = tallies.waits().take();
        assertThat(waits.getFirst()).isEqualTo(4);
        assertThat(waits.getLast()).isEqualTo(2);
        assertThat(waits.stream().mapToLong(Long::longValue).sum()).isEqualTo(6);
    }

    private void claim(List<String> lookedAt, Collection<String> unusable) {
        report.publish(
                new Claiming.Claimed(
                        List.of(), false, new Claiming.Met(lookedAt, Set.copyOf(unusable)), 0, 0),
                QueueOrder.strict(HUNDRED));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void whatCannotBeUsedIsToldOnceForAllQueuesAndOnceWhenItIsOver() {
        for (int i = 0; i < 1_000; i++) {
            claim(HUNDRED, HUNDRED);
            pass(Duration.ofMillis(50));
        }
        assertThat(events.of(Event.OfClaiming.class))
                .containsExactly(new Event.QueuesUnusable(HUNDRED));
        assertThat(report.isUntold()).isFalse();

        claim(HUNDRED, List.of("q150"));
        claim(HUNDRED, List.of());
        pass(Duration.ofSeconds(5));
        claim(List.of(), List.of());

        List<String> all = new ArrayList<>(HUNDRED);
        all.remove("q150");
        assertThat(events.of(Event.OfClaiming.class))
                .containsExactly(
                        new Event.QueuesUnusable(HUNDRED),
                        new Event.QueuesUsable(all),
                        new Event.QueuesUsable(List.of("q150")));
    }

    @Test
    void whatComesAndGoesIsToldEachFiveSecondsAtMost() {
        for (int i = 0; i <= 100; i++) {
            claim(HUNDRED, i % 2 == 0 ? List.of("q110") : List.of());
            pass(Duration.ofMillis(100));
        }
        assertThat(events.of(Event.OfClaiming.class)).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void aQueueThatNoClaimLooksAtStaysAsItWasAndOneThatIsServedNoMoreGoes() {
        claim(HUNDRED, List.of("q100", "q199"));
        pass(Duration.ofSeconds(5));
        claim(HUNDRED.subList(0, 99), List.of("q100"));
        assertThat(events.of(Event.OfClaiming.class)).hasSize(1);

        report.publish(Claiming.Claimed.NOTHING, QueueOrder.strict(List.of("q100")));

        assertThat(events.of(Event.OfClaiming.class))
                .containsExactly(
                        new Event.QueuesUnusable(List.of("q100", "q199")),
                        new Event.QueuesUsable(List.of("q199")));
    }
}
