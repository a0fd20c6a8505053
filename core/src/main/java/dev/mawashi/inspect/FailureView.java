package dev.mawashi.inspect;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A record of a Resque failure list, as far as it can be read.
///
/// @param list name of its list
/// @param record its exact bytes
public record FailureView(String list, byte[] record, @Nullable Payload fields) {

    static FailureView of(String list, byte[] record) {
        return new FailureView(list, record, Payload.tryParse(record));
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

    /// The job; null when the record holds none.
    public @Nullable Payload job() {
        String job = fields == null ? null : fields.raw("payload");
        if (job == null || !job.startsWith("{")) {
            return null;
        }
        return Payload.tryParse(job.getBytes(StandardCharsets.UTF_8));
    }

    public String jobClass() {
        Payload job = job();
        String name = job == null ? null : job.text("class");
        return name == null ? "" : name;
    }

    /// The arguments as JSON on one line.
    public String args() {
        Payload job = job();
        String args = job == null ? null : job.raw("args");
        return args == null ? "" : JsonElements.compact(args);
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
