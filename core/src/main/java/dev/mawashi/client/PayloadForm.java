package dev.mawashi.client;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Makes payloads as Sidekiq 8's client does: milliseconds, fields in its order
/// (docs/formats/sidekiq.md, "Payload"). Safe for any thread if its random generator is.
public final class PayloadForm {
    private static final int JID_BYTES = 12;
    private static final Duration PAST_MAX = Duration.ofDays(366);
    private static final Duration FUTURE_MAX = Duration.ofDays(3_653);

    private final InstantSource clock;
    private final RandomGenerator random;

    public PayloadForm(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /// Makes a job with a new jid, with Sidekiq's defaults.
    ///
    /// @param at when it is due; null means now
    /// @throws IllegalArgumentException as `job(JobRequest)` and `JobRequest`
    public NewJob job(String jobClass, String queue, String args, @Nullable Instant at) {
        return job(new JobRequest(jobClass, queue, args, at, JobRequest.RETRY, List.of()));
    }

    /// Makes a job with a new jid. A time that has come means now.
    ///
    /// @throws IllegalArgumentException when its args are not a JSON array, or its time is so far
    ///   away that it must be in another unit
    public NewJob job(JobRequest asked) {
        requireArray(asked.args());
        Instant now = clock.instant();
        Instant at = asked.at();
        requireNear(at, now);
        boolean isNow = at == null || !at.isAfter(now);
        String payload =
                "{\"retry\":"
                        + asked.retry()
                        + ",\"queue\":"
                        + Json.quote(asked.queue())
                        + ",\"class\":"
                        + Json.quote(asked.jobClass())
                        + ",\"args\":"
                        + asked.args()
                        + tags(asked.tags())
                        + ",\"jid\":\""
                        + jid()
                        + "\",\"created_at\":"
                        + now.toEpochMilli()
                        + (isNow ? ",\"enqueued_at\":" + now.toEpochMilli() : "")
                        + "}";
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        requireReadable(bytes);
        return new NewJob(asked.queue(), bytes, isNow ? null : at);
    }

    private static String tags(List<String> tags) {
        return tags.isEmpty()
                ? ""
                : tags.stream()
                        .map(Json::quote)
                        .collect(Collectors.joining(",", ",\"tags\":[", "]"));
    }

    /// Milliseconds taken for seconds are tens of thousands of years ahead, a delay taken for a
    /// time is in 1970.
    private static void requireNear(@Nullable Instant at, Instant now) {
        if (at != null && (at.isBefore(now.minus(PAST_MAX)) || at.isAfter(now.plus(FUTURE_MAX)))) {
            throw new IllegalArgumentException(
                    "at is "
                            + (at.isBefore(now)
                                    ? "more than a year ago"
                                    : "more than ten years ahead")
                            + ": give seconds since 1970, such as "
                            + now.getEpochSecond()
                            + " for now");
        }
    }

    /// The payload is one level deeper than its args, which alone may be as deep as a server reads.
    private static void requireReadable(byte[] payload) {
        try {
            Payload.parse(payload);
        } catch (MalformedPayload malformed) {
            throw new IllegalArgumentException(
                    "args are not fit for a payload: " + malformed.reason(), malformed);
        }
    }

    private static void requireArray(String args) {
        Objects.requireNonNull(args, "args");
        try {
            if (JsonScanner.requireOne(args.getBytes(StandardCharsets.UTF_8)) != '[') {
                throw new IllegalArgumentException("args are not a JSON array: " + args);
            }
        } catch (MalformedPayload malformed) {
            throw new IllegalArgumentException(
                    "args are not JSON: " + malformed.reason(), malformed);
        }
    }

    private String jid() {
        byte[] bytes = new byte[JID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
