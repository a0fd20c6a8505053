package dev.mawashi.settle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Recorded;
import dev.mawashi.broker.FailurePlace;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailurePolicyTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final String WORKER = "vm:77:high,low";
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss");

    private final RecordedEvents events = new RecordedEvents();

    private Settlement decide(String queue, String payload, Outcome outcome, Instant now) {
        FailurePlace place = new FailurePlace(ResqueKeys.DEFAULT, false, WORKER);
        FailurePolicy policy = new FailurePolicy(place, InstantSource.fixed(now), BERLIN, events);
        Lease lease = new Lease(queue, "me#0", 1, payload.getBytes(UTF_8));
        return policy.decide(lease, outcome, (job, _) -> Optional.of(job));
    }

    private String record(String queue, String payload, Outcome outcome, Instant now) {
        Settlement settlement = decide(queue, payload, outcome, now);
        assertThat(settlement).isInstanceOf(Settlement.Fail.class);
        return new String(((Settlement.Fail) settlement).record(), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.7.0", "3.0.0"})
    void theBytesAreThoseOfResque(String version) {
        List<String> lines = Recorded.lines("resque-failures-" + version + ".txt");
        assertThat(lines).hasSize(12);
        for (int i = 0; i < lines.size(); i += 3) {
            String recorded = lines.get(i + 2);
            Payload fields = Payload.parse(recorded.getBytes(UTF_8));
            String failedAt = text(fields, "failed_at").replace(" CET", "");
            Instant now = LocalDateTime.parse(failedAt, SECONDS).atZone(BERLIN).toInstant();
            List<String> backtrace =
                    JsonElements.of(Objects.requireNonNull(fields.raw("backtrace"))).stream()
                            .map(JsonElements::plain)
                            .toList();
            Outcome outcome =
                    new Outcome.Failed(text(fields, "exception"), text(fields, "error"), backtrace);

            assertThat(record(lines.get(i), lines.get(i + 1), outcome, now)).isEqualTo(recorded);
        }
    }

    private static String text(Payload fields, String name) {
        return Objects.requireNonNull(fields.text(name));
    }

    @Test
    void aSuccessIsForgottenAndAnInterruptedJobGoesBack() {
        assertThat(decide("q", "{}", Outcome.SUCCEEDED, Instant.EPOCH)).isEqualTo(Settlement.ACK);
        assertThat(decide("q", "{}", Outcome.INTERRUPTED, Instant.EPOCH))
                .isEqualTo(Settlement.REQUEUE);
    }

    @Test
    void whatIsNoJobIsRecordedWithItsExactBytes() {
        String payload = "{\"class\":\"A\", \"args\":[";

        String record =
                record("q", payload, new Outcome.Malformed("unexpected end"), Instant.EPOCH);

        Payload fields = Payload.parse(record.getBytes(UTF_8));
        assertThat(fields.text("exception")).isEqualTo("Resque::Helpers::DecodeException");
        assertThat(fields.text("error")).isEqualTo("unexpected end");
        assertThat(fields.raw("payload")).startsWith("{\"class\":\"Mawashi::MalformedPayload\"");
        assertThat(Base64.getDecoder().decode(text(fields, "payload_base64")))
                .isEqualTo(payload.getBytes(UTF_8));
    }

    @Test
    void anObjectIsTakenOverWhateverItHolds() {
        String payload = "{\"class\": null , \"class\":1}";

        String record =
                record("q", payload, new Outcome.Failed("E", "m", List.of()), Instant.EPOCH);

        assertThat(record)
                .startsWith("{\"failed_at\":\"1970/01/01 01:00:00 CET\",\"payload\":" + payload);
    }

    @Test
    void bytesThatAreNoUtf8SurviveInThePayload() {
        byte[] payload = "{\"class\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        FailurePlace place = new FailurePlace(ResqueKeys.DEFAULT, false, WORKER);
        FailurePolicy policy =
                new FailurePolicy(place, InstantSource.fixed(Instant.EPOCH), BERLIN, events);

        Settlement settlement =
                policy.decide(
                        new Lease("q", "me#0", 1, payload),
                        new Outcome.Failed("E", "m", List.of()),
                        (job, _) -> Optional.of(job));

        String record =
                new String(((Settlement.Fail) settlement).record(), StandardCharsets.ISO_8859_1);
        assertThat(record).contains(new String(payload, StandardCharsets.ISO_8859_1));
    }

    @Test
    void theOperatorIsToldWhichClassFailed() {
        record("q", "{\"class\":\"A\"}", new Outcome.Failed("E", "m", List.of()), Instant.EPOCH);

        assertThat(events.of(Event.JobListedAsFailed.class))
                .containsExactly(
                        new Event.JobListedAsFailed(new Event.JobName("q", "A", ""), "E", "m"));
    }
}
