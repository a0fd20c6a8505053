package dev.mawashi.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A job that asks for what the server does not have: it did not begin, and no try counts.
class HeldJobTest implements GiveUpNotice {
    private final RecordedEvents events = new RecordedEvents();

    @Test
    void itWaitsInTheRetrySetAsItCameAndSaysWhy() {
        String came =
                "{\"class\":\"A\",\"jid\":\"j\",\"args\":[],\"retry\":false,\"created_at\":9}";

        Settlement.Retry held = (Settlement.Retry) decide(came, RetryHint.HELD);

        assertThat(held.delay()).isEqualTo(Duration.ofHours(1));
        assertThat(text(held))
                .isEqualTo(
                        came.replace(
                                "}",
                                ",\"queue\":\"low\",\"error_message\":\"no\","
                                        + "\"error_class\":\"Mawashi::Held\",\"failed_at\":1795225700000}"));
        assertThat(events.of(Event.JobHeld.class))
                .containsExactly(new Event.JobHeld(new Event.JobName("low", "A", "j"), "no"));
        assertThat(text((Settlement.Retry) decide(text(held), RetryHint.HELD)))
                .isEqualTo(text(held));
    }

    @Test
    void theTimeThatItWaitedDoesNotCountForRetryFor() {
        String waited =
                "{\"class\":\"A\",\"args\":[],\"retry\":true,\"retry_for\":1,\"created_at\":9,\"failed_at\":9}";

        assertThat(decide(waited, RetryHint.NONE)).isInstanceOf(Settlement.Retry.class);
    }

    private Settlement decide(String payload, RetryHint hint) {
        RetryPolicy policy =
                new RetryPolicy(
                        RetryRules.DEFAULT,
                        InstantSource.fixed(Instant.ofEpochSecond(1_795_225_700L)),
                        () -> 0L,
                        events);
        Lease lease = new Lease("low", "me#0", 1, payload.getBytes(StandardCharsets.UTF_8));
        return policy.decide(
                lease, new Outcome.Failed("Mawashi::Held", "no", List.of(), hint), this);
    }

    private static String text(Settlement.Retry retry) {
        return new String(retry.payload(), StandardCharsets.UTF_8);
    }

    @Override
    public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
        throw new AssertionError("it is not given up");
    }

    @Override
    public boolean failed(byte[] payload) {
        return false;
    }
}
