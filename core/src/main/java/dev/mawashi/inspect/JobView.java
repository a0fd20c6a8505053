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
    private final @Nullable Payload fields;
    private final Unwrapped shown;
    private final @Nullable String problem;

    private JobView(byte[] payload, @Nullable Payload fields, @Nullable String problem) {
        this.payload = payload;
        this.fields = fields;
        this.problem = problem;
        this.shown = fields == null ? Unwrapped.NOTHING : Unwrapped.of(fields);
    }

    public static JobView of(byte[] payload) {
        try {
            return new JobView(payload, Payload.parse(payload), null);
        } catch (MalformedPayload malformed) {
            return new JobView(payload, null, malformed.reason());
        }
    }

    /// The exact bytes.
    public byte[] payload() {
        return payload;
    }

    /// Why it is no job; null when it is one.
    public @Nullable String problem() {
        return problem;
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
        return shown.jobClass();
    }

    /// True when it is known by that name, shown or written.
    boolean isOfClass(String name) {
        return name.equals(shown.jobClass())
                || name.equals(plain("class"))
                || name.equals(plain("wrapped"));
    }

    /// The arguments as a JSON array on one line.
    public String args() {
        if (fields == null || !fields.isTruthy("encrypt")) {
            return shown.args();
        }
        try {
            var elements = JsonElements.of(shown.args());
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
        return fields == null ? raw() : shown.args();
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

    public OptionalInt retryCount() {
        return fields == null ? OptionalInt.empty() : fields.integer("retry_count");
    }

    /// A time field such as `created_at`, whichever way it is written.
    public Optional<Instant> time(String field) {
        return fields == null ? Optional.empty() : TimeStyle.read(fields, field);
    }

    /// A field's text, or its JSON when it is no string; empty when there is none.
    public String plain(String field) {
        String raw = fields == null ? null : fields.raw(field);
        return raw == null || raw.equals("null")
                ? ""
                : raw.startsWith("\"") ? Objects.requireNonNull(fields).text(field) + "" : raw;
    }
}
