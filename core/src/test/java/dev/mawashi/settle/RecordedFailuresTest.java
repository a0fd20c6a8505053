package dev.mawashi.settle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Recorded;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.TimeStyle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The same jobs fail in the same way as they did in real Sidekiqs: what is kept of them are the
/// same bytes, but for the time.
class RecordedFailuresTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_000L);
    private static final int RECORDS = 8;

    /// @param before as it was enqueued
    /// @param place `retry` or `dead`
    /// @param after as Sidekiq put it there
    private record Failure(String before, String place, String after) {
        private Payload parsedBefore() {
            return payload(before);
        }

        private Payload parsedAfter() {
            return payload(after);
        }

        /// Sidekiq's bytes with our time in place of theirs.
        private String expected() {
            String field = parsedBefore().isTruthy("retry_count") ? "retried_at" : "failed_at";
            String then = Objects.requireNonNull(parsedAfter().raw(field));
            String now = TimeStyle.of(parsedBefore()).format(NOW);
            assertThat(now.contains(".")).as("style of " + then).isEqualTo(then.contains("."));
            return after.replace("\"" + field + "\":" + then, "\"" + field + "\":" + now);
        }
    }

    private static Payload payload(String text) {
        return Payload.parse(text.getBytes(UTF_8));
    }

    private static List<Failure> failures(String version) {
        List<String> lines = Recorded.lines("failures-" + version + ".txt");
        List<Failure> failures = new ArrayList<>();
        for (int i = 0; i + 2 < lines.size(); i += 4) {
            failures.add(new Failure(lines.get(i), lines.get(i + 1), lines.get(i + 2)));
        }
        assertThat(failures).hasSize(RECORDS);
        return failures;
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.4.1", "7.3.2", "7.3.9", "8.1.5"})
    void theBytesAreThoseOfSidekiq(String version) {
        RetryRules rules = RetryRules.of(25, version);
        RetryPolicy policy = new RetryPolicy(rules, InstantSource.fixed(NOW), () -> 0L, _ -> {});
        for (Failure failure : failures(version)) {
            Lease lease = new Lease("high", "me#0", 1, failure.before().getBytes(UTF_8));

            Settlement settlement =
                    policy.decide(lease, outcome(failure), (job, _) -> Optional.of(job));

            assertThat(place(settlement)).as(failure.after()).isEqualTo(failure.place());
            assertThat(bytes(settlement)).isEqualTo(failure.expected());
        }
    }

    private static Outcome outcome(Failure failure) {
        Payload after = failure.parsedAfter();
        return new Outcome.Failed(
                Objects.requireNonNull(after.text("error_class")),
                Objects.requireNonNull(after.text("error_message")),
                backtrace(failure),
                new RetryHint(
                        RetryHint.Retry.upTo(3), OptionalLong.empty(), RetryHint.Verdict.RETRY));
    }

    /// The recorded lines, and more where Sidekiq was to keep only so many.
    private static List<String> backtrace(Failure failure) {
        String packed = failure.parsedAfter().text("error_backtrace");
        List<String> lines = new ArrayList<>();
        if (packed != null) {
            lines.addAll(unpacked(packed));
        }
        if (failure.parsedBefore().integer("backtrace").isPresent()) {
            lines.add("a line that is not kept");
        }
        return lines;
    }

    private static List<String> unpacked(String packed) {
        byte[] zlib = Base64.getMimeDecoder().decode(packed);
        byte[] json;
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(zlib))) {
            json = in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> lines = new ArrayList<>();
        JsonScanner scanner = new JsonScanner(json);
        scanner.open('[');
        do {
            scanner.peek();
            int start = scanner.position();
            scanner.skipString();
            lines.add(Json.unquote(json, start, scanner.position()));
        } while (scanner.more(']'));
        return lines;
    }

    private static String place(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Retry _ -> "retry";
            case Settlement.Bury _ -> "dead";
            case Settlement.Fail _ -> "failure list";
            case Settlement.Ack _, Settlement.Requeue _, Settlement.Arrived _ -> "nowhere";
        };
    }

    private static String bytes(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Retry retry -> new String(retry.payload(), UTF_8);
            case Settlement.Bury bury -> new String(bury.payload(), UTF_8);
            case Settlement.Fail fail -> new String(fail.record(), UTF_8);
            case Settlement.Ack _, Settlement.Requeue _, Settlement.Arrived _ -> "";
        };
    }
}
