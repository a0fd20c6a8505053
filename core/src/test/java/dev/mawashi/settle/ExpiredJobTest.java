package dev.mawashi.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What becomes of a job whose time is over. `ExpiryTest` has the times.
final class ExpiredJobTest {
    private final RecordedEvents events = new RecordedEvents();
    private final RetryPolicy policy =
            new RetryPolicy(
                    RetryRules.DEFAULT,
                    InstantSource.fixed(Instant.ofEpochSecond(1_000_000)),
                    new Random(1),
                    events);

    private Optional<Settlement> expired(String fields) {
        byte[] payload = ("{\"class\":\"A\"" + fields + "}").getBytes(StandardCharsets.UTF_8);
        return policy.expired(new Lease("low", "me#0", 1, payload));
    }

    @Test
    void itIsSettledWithoutARun() {
        assertThat(expired(",\"jid\":\"1\",\"expiry\":999999")).contains(Settlement.ACK);
        assertThat(expired(",\"jid\":\"2\",\"expiry\":1000001")).isEmpty();
        assertThat(expired(",\"jid\":\"3\"")).isEmpty();
        assertThat(events.of(Event.JobExpired.class))
                .containsExactly(new Event.JobExpired(new Event.JobName("low", "A", "1")));
    }
}
