package dev.mawashi.inspect;

import dev.mawashi.wire.Hiding;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A record of a Resque failure list, as far as it can be read. `record`, `fields` and `job` are
/// for Redis; people are shown what the methods give, from which rules hide arguments.
///
/// @param list name of its list
/// @param record its exact bytes, or their beginning where it is cut
/// @param size how many bytes there are in Redis
/// @param fields null where it is no record
/// @param job null where it holds none
/// @param hiding what of the job is not shown
public record FailureView(
        String list,
        byte[] record,
        int size,
        @Nullable Payload fields,
        @Nullable Payload job,
        Hiding hiding) {
    /// Most bytes of a field of a record that is not shown whole.
    private static final int FIELD_BYTES_MAX = 64 << 10;

    private static final int START_BYTES = 128 << 10;

    /// The job's bytes where they are no text, beside a stand-in for it.
    private static final String EXACT = "payload_base64";

    static FailureView of(String list, byte[] record, Redaction redaction) {
        Payload fields = Payload.tryParse(record);
        Payload job = job(fields);
        Hiding hiding =
                job == null || record.length > JobView.WHOLE_BYTES_MAX
                        ? redaction.ofUnknown()
                        : redaction.of(job, "");
        return new FailureView(list, record, record.length, fields, job, hiding);
    }

    private static @Nullable Payload job(@Nullable Payload fields) {
        byte[] job = fields == null ? new byte[0] : fields.value("payload");
        boolean isObject = job.length > 0 && job[0] == '{';
        return isObject ? Payload.tryParse(job) : null;
    }

    /// The same as far as it is shown: a large one has no arguments, and the beginning of its bytes
    /// only. See `JobView`.
    public FailureView shown() {
        if (size <= JobView.WHOLE_BYTES_MAX || isCut()) {
            return this;
        }
        return new FailureView(
                list,
                Arrays.copyOf(record, START_BYTES),
                size,
                shortened(fields),
                shortened(job),
                hiding);
    }

    private static @Nullable Payload shortened(@Nullable Payload whole) {
        return whole == null
                ? null
                : Payload.parse(whole.shortened(FIELD_BYTES_MAX, JobView.WHOLE_BYTES_MAX));
    }

    /// Whether it has the beginning of the bytes only.
    public boolean isCut() {
        return record.length < size;
    }

    /// A field's text; "" when there is none.
    public String text(String field) {
        String text = fields == null ? null : fields.text(field);
        return text == null ? "" : text;
    }

    /// Whether someone has enqueued it again.
    public boolean isRetried() {
        return fields != null && fields.isTruthy("retried_at");
    }

    public String jobClass() {
        String name = job == null ? null : job.text("class");
        return name == null ? "" : name;
    }

    /// The arguments as JSON on one line.
    public String args() {
        String args = job == null ? null : job.raw("args");
        return args == null ? "" : hiding.args(JsonElements.compact(args));
    }

    /// The record as text; where rules hide something of its job, without that.
    public String raw() {
        if (hiding.isNothing()) {
            return new String(record, StandardCharsets.UTF_8);
        }
        return fields == null
                ? Redaction.MARK
                : new String(fields.with(withoutHidden(fields)), StandardCharsets.UTF_8);
    }

    private Map<String, String> withoutHidden(Payload whole) {
        Map<String, String> changes = new LinkedHashMap<>();
        if (whole.raw("payload") != null) {
            changes.put("payload", hiding.payload(whole.value("payload")));
        }
        if (whole.raw(EXACT) != null) {
            changes.put(EXACT, Json.quote(Redaction.MARK));
        }
        return changes;
    }

    /// Whether a text stands in the arguments; large ones are looked at as they are written.
    /// Nothing is found that is not shown.
    boolean hasText(String text) {
        if (!hiding.isNothing() || job == null || job.length("args") <= JobView.WHOLE_BYTES_MAX) {
            return args().contains(text);
        }
        return job.has("args", text.getBytes(StandardCharsets.UTF_8));
    }

    /// The lines of the backtrace; none when it cannot be read.
    public List<String> backtrace() {
        String lines = fields == null ? null : fields.raw("backtrace");
        return lines == null || !lines.startsWith("[") ? List.of() : Backtrace.lines(lines);
    }

    /// Class and message of the error.
    public String error() {
        return text("exception") + ": " + text("error");
    }
}
