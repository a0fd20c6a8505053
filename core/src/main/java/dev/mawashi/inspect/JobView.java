package dev.mawashi.inspect;

import dev.mawashi.wire.ByteSearch;
import dev.mawashi.wire.Hiding;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.Redaction;
import dev.mawashi.wire.TimeStyle;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A payload as people want to see it: ActiveJob's wrapper taken off and encrypted data left out,
/// as on Sidekiq's page, and without what rules hide. Bytes that are no job can be looked at too;
/// they say why.
///
/// Whatever is shown of arguments passes here, or through `FailureView`: what is made of `payload`
/// is for Redis alone.
public final class JobView {
    /// Of a larger job only the small fields and the beginnings of arguments and payload are shown:
    /// what is made of a job takes its bytes several times over.
    public static final int WHOLE_BYTES_MAX = 1 << 20;

    /// Most bytes of a field of a larger one.
    private static final int FIELD_BYTES_MAX = 64 << 10;

    private static final int START_BYTES = 128 << 10;
    private static final String ENCRYPTED = "\"[encrypted data]\"";

    private final byte[] payload;
    private final Redaction redaction;

    /// Of the payload in Redis, of which `payload` may be the beginning.
    private final int size;

    /// Null until somebody asks for it, unless `payload` is a beginning.
    private @Nullable String digest;

    /// Null until somebody asks: a search looks at no more than the bytes of most jobs. Two threads
    /// that ask at once read the same.
    private @Nullable Parsed parsed;

    /// The contents of the bytes.
    ///
    /// @param hiding what of it is not shown
    /// @param problem why they are no job; null when they are one
    private record Parsed(
            @Nullable Payload fields, Unwrapped shown, Hiding hiding, @Nullable String problem) {
        static Parsed of(byte[] payload, Redaction redaction) {
            try {
                Payload fields = Payload.parse(payload);
                Unwrapped shown = Unwrapped.of(fields);
                Hiding hiding =
                        payload.length > WHOLE_BYTES_MAX
                                ? redaction.ofUnknown()
                                : redaction.of(fields, shown.jobClass());
                return new Parsed(fields, shown, hiding, null);
            } catch (MalformedPayload malformed) {
                return new Parsed(
                        null, Unwrapped.NOTHING, redaction.ofUnknown(), malformed.reason());
            }
        }
    }

    private JobView(byte[] payload, int size, Redaction redaction) {
        this.payload = payload;
        this.size = size;
        this.redaction = redaction;
    }

    /// @param redaction what is hidden of jobs; `NONE` where nobody is shown this one
    public static JobView of(byte[] payload, Redaction redaction) {
        return new JobView(payload, payload.length, redaction);
    }

    /// The same as far as it is shown: a large one takes little memory from then on, and has the
    /// beginning of its bytes only.
    public JobView shown() {
        if (size <= WHOLE_BYTES_MAX || isCut()) {
            return this;
        }
        Parsed whole = parsed();
        JobView shown = new JobView(Arrays.copyOf(payload, START_BYTES), size, redaction);
        shown.digest = digest();
        Payload fields = whole.fields();
        if (fields != null) {
            fields = Payload.parse(fields.shortened(FIELD_BYTES_MAX, WHOLE_BYTES_MAX));
        }
        Unwrapped known = whole.shown();
        shown.parsed =
                new Parsed(
                        fields,
                        new Unwrapped(start(known.jobClass()), start(known.args())),
                        whole.hiding(),
                        whole.problem());
        return shown;
    }

    private static String start(String text) {
        return text.length() <= START_BYTES ? text : text.substring(0, START_BYTES) + "…";
    }

    /// Whether it has the beginning of the bytes only.
    public boolean isCut() {
        return payload.length < size;
    }

    /// How many bytes there are in Redis.
    public int size() {
        return size;
    }

    /// Separates its bytes from others.
    public String digest() {
        String known = digest;
        if (known == null) {
            known = digest(payload);
            digest = known;
        }
        return known;
    }

    private static String digest(byte[] payload) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(payload);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private Parsed parsed() {
        Parsed known = parsed;
        if (known == null) {
            known = Parsed.of(payload, redaction);
            parsed = known;
        }
        return known;
    }

    private @Nullable Payload fields() {
        return parsed().fields();
    }

    /// The exact bytes, or their beginning where it is cut: for Redis, not for people.
    public byte[] payload() {
        return payload;
    }

    /// Why it is no job; null when it is one.
    public @Nullable String problem() {
        return parsed().problem();
    }

    /// Whether anything of it is hidden.
    public boolean isRedacted() {
        return !parsed().hiding().isNothing();
    }

    /// The bytes as text; where rules hide something, without it and on one line.
    public String raw() {
        return parsed().hiding().payload(payload);
    }

    /// The bytes that people are given: the exact ones, unless rules hide something.
    public byte[] shownBytes() {
        return isRedacted() ? raw().getBytes(StandardCharsets.UTF_8) : payload;
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

    /// The class that its runs are counted under: ActiveJob's own, one for all mails.
    public String countedClass() {
        String wrapped = plain("wrapped");
        return wrapped.isEmpty() ? plain("class") : wrapped;
    }

    /// True when it is known by that name, shown or written.
    boolean isOfClass(String name) {
        return name.equals(parsed().shown().jobClass())
                || name.equals(plain("class"))
                || name.equals(plain("wrapped"));
    }

    /// The arguments as a JSON array on one line.
    public String args() {
        return parsed().hiding().args(withoutEncrypted());
    }

    private String withoutEncrypted() {
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

    /// Whether a text stands in the arguments; of a payload that is no job, anywhere. Large ones
    /// are looked at as they are written. Nothing is found that is not shown: whoever may search
    /// could otherwise guess it, letter by letter.
    boolean hasText(String text) {
        Payload fields = fields();
        if (isRedacted()) {
            return (fields == null ? raw() : args()).contains(text);
        }
        if (payload.length <= WHOLE_BYTES_MAX) {
            return (fields == null ? raw() : parsed().shown().args()).contains(text);
        }
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        return fields == null
                ? ByteSearch.isIn(payload, 0, payload.length, wanted)
                : fields.has("args", wanted);
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
