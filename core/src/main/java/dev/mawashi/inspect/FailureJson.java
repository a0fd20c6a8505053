package dev.mawashi.inspect;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Payload;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Resque's failures as JSON, the same on the command line and over HTTP.
public final class FailureJson {
    /// Fields of a record that are given of a large one.
    private static final List<String> NAMES =
            List.of(
                    "failed_at",
                    "payload",
                    "exception",
                    "error",
                    "backtrace",
                    "worker",
                    "queue",
                    "retried_at");

    private FailureJson() {}

    /// The record's own fields after the name of its list; where it is none, its text as `raw`. Of
    /// a large one `bytes` says how large it is, and what is large in it is null.
    public static String of(FailureView whole) {
        FailureView failure = whole.shown();
        if (failure.isCut()) {
            return cut(failure);
        }
        String record = failure.raw();
        if (failure.fields() == null) {
            return new JsonFields().text("list", failure.list()).text("raw", record).toString();
        }
        return new JsonFields()
                .text("list", failure.list())
                .all(JsonElements.compact(record))
                .toString();
    }

    private static String cut(FailureView failure) {
        JsonFields json =
                new JsonFields().text("list", failure.list()).number("bytes", failure.size());
        Payload fields = failure.fields();
        if (fields == null) {
            return json.text("raw", null).toString();
        }
        for (String name : NAMES) {
            String value = name.equals("payload") ? job(failure) : fields.raw(name);
            if (value != null) {
                json.json(name, JsonElements.compact(value));
            }
        }
        return json.toString();
    }

    private static @Nullable String job(FailureView failure) {
        Payload job = failure.job();
        return job == null ? null : failure.hiding().payload(job.with(Map.of()));
    }
}
