package dev.mawashi.inspect;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.TimeStyle;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A payload as people want to see it: ActiveJob's wrapper taken off and encrypted data left out,
/// as on Sidekiq's page. Bytes that are no job can be looked at too; they say why.
public final class JobView {
    private static final String ENCRYPTED = "\"[encrypted data]\"";

    private final byte[] payload;

    /// Null until somebody asks: a search looks at no more than the bytes of most jobs. Two threads
    /// that ask at once read the same.
    private @Nullable Parsed parsed;

    /// What the bytes say.
    ///
    /// @param problem why they are no job; null when they are one
    private record Parsed(@Nullable Payload fields, Unwrapped shown, @Nullable String problem) {
        static Parsed of(byte[] payload) {
            try {
                Payload fields = Payload.parse(payload);
                return new Parsed(fields, Unwrapped.of(fields), null);
            } catch (MalformedPayload malformed) {
                return new Parsed(null, Unwrapped.NOTHING, malformed.reason());
            }
        }
    }

    private JobView(byte[] payload) {
        this.payload = payload;
    }

    public static JobView of(byte[] payload) {
        return new JobView(payload);
    }

    private Parsed parsed() {
        Parsed known = parsed;
        if (known == null) {
            known = Parsed.of(payload);
            parsed = known;
        }
        return known;
    }

    private @Nullable Payload fields() {
        return parsed().fields();
    }

    /// The exact bytes.
    public byte[] payload() {
        return payload;
    }

    /// Why it is no job; null when it is one.
    public @Nullable String problem() {
        return parsed().problem();
    }

    /// The bytes as text.
    public String raw() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    public String jid() {
        return plain("jid");
    }

    public String queue() {
        return plain("queue");
    }

    /// The class that people know it by: ActiveJob's own, a mailer's with its method.
    public String jobClass() {
        return parsed().shown().jobClass();
    }

    /// True when it is known by that name, shown or written.
    boolean isOfClass(String name) {
        return name.equals(parsed().shown().jobClass())
                || name.equals(plain("class"))
                || name.equals(plain("wrapped"));
    }

    /// The arguments as a JSON array on one line.
    public String args() {
        Payload fields = fields();
        if (fields == null || !fields.isTruthy("encrypt")) {
            return parsed().shown().args();
        }
        try {
            var elements = JsonElements.of(parsed().shown().args());
            if (!elements.isEmpty()) {
                elements.set(elements.size() - 1, ENCRYPTED);
            }
            return "[" + String.join(",", elements) + "]";
        } catch (MalformedPayload _) {
            return ENCRYPTED;
        }
    }

    /// What a search for argument text looks at; of a payload that is no job, all of it.
    String searchable() {
        return fields() == null ? raw() : parsed().shown().args();
    }

    /// Class and message of the last error; empty when it has not failed.
    public String error() {
        String errorClass = plain("error_class");
        String message = plain("error_message");
        return errorClass.isEmpty() || message.isEmpty()
                ? errorClass + message
                : errorClass + ": " + message;
    }

    /// Lines of the last error's backtrace, where the job keeps them.
    public List<String> backtrace() {
        return Backtrace.lines(plain("error_backtrace"));
    }

    /// What the job is labelled with; nothing where the field is no list.
    public List<String> tags() {
        Payload fields = fields();
        String field = fields == null ? null : fields.raw("tags");
        try {
            return field == null
                    ? List.of()
                    : JsonElements.of(field).stream().map(JsonElements::plain).toList();
        } catch (MalformedPayload _) {
            return List.of();
        }
    }

    public OptionalInt retryCount() {
        Payload fields = fields();
        return fields == null ? OptionalInt.empty() : fields.integer("retry_count");
    }

    /// A time field such as `created_at`, whichever way it is written.
    public Optional<Instant> time(String field) {
        Payload fields = fields();
        return fields == null ? Optional.empty() : TimeStyle.read(fields, field);
    }

    /// When it was created, or enqueued where it does not say.
    Optional<Instant> made() {
        return time("created_at").or(() -> time("enqueued_at"));
    }

    /// A field's text, or its JSON when it is no string; empty when there is none.
    public String plain(String field) {
        Payload fields = fields();
        String raw = fields == null ? null : fields.raw(field);
        return raw == null || raw.equals("null")
                ? ""
                : raw.startsWith("\"") ? Objects.requireNonNull(fields).text(field) + "" : raw;
    }
}
