package dev.mawashi.client;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes payloads as Sidekiq 8's client does: milliseconds, fields in its order
/// (docs/formats/sidekiq.md, "Payload"). Safe for any thread if its random generator is.
public final class PayloadForm {
    private static final int JID_BYTES = 12;

    private final InstantSource clock;
    private final RandomGenerator random;

    public PayloadForm(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /// Makes a job with a new jid.
    ///
    /// @param jobClass Ruby constant path or Java class name; not checked here, since only the
    ///   server knows the app's classes
    /// @param args a JSON array, kept byte for byte
    /// @param at when it is due; null, or a time that has come, means now
    /// @throws IllegalArgumentException when `args` is not a JSON array or a name is empty
    public NewJob job(String jobClass, String queue, String args, @Nullable Instant at) {
        if (jobClass.isEmpty()) {
            throw new IllegalArgumentException("job class is empty");
        }
        requireArray(args);
        Instant now = clock.instant();
        boolean isNow = at == null || !at.isAfter(now);
        String payload =
                "{\"retry\":true,\"queue\":"
                        + Json.quote(queue)
                        + ",\"class\":"
                        + Json.quote(jobClass)
                        + ",\"args\":"
                        + args
                        + ",\"jid\":\""
                        + jid()
                        + "\",\"created_at\":"
                        + now.toEpochMilli()
                        + (isNow ? ",\"enqueued_at\":" + now.toEpochMilli() : "")
                        + "}";
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        requireReadable(bytes);
        return new NewJob(queue, bytes, isNow ? null : at);
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
