package dev.mawashi.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Lease;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.metrics.RunTallies;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClaimReportTest {
    private final RunTallies tallies = new RunTallies(true);
    private final ClaimReport report = new ClaimReport(new RecordedEvents(), tallies.waits());
    private long token;

    private Lease lease(String queue, long enqueuedAt) {
        byte[] payload = ("{\"enqueued_at\":" + enqueuedAt + "}").getBytes(UTF_8);
        return new Lease(queue, "owner", ++token, payload);
    }

    private static Claiming.Claimed claimed(Lease... leases) {
        return new Claiming.Claimed(List.of(leases), false, 0, 0, 0);
    }

    @Test
    void ofTheJobsOfAQueueOneIsLookedAtForAll() {
        long now = System.currentTimeMillis();
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
}
