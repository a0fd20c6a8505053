package dev.mawashi.inspect;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.JsonFields;
import java.nio.charset.StandardCharsets;

/// Resque's failures as JSON, the same on the command line and over HTTP.
public final class FailureJson {
    private FailureJson() {}

    /// The record's own fields after the name of its list; where it is none, its text as `raw`.
    public static String of(FailureView failure) {
        String record = new String(failure.record(), StandardCharsets.UTF_8);
        if (failure.fields() == null) {
            return new JsonFields().text("list", failure.list()).text("raw", record).toString();
        }
        String fields = JsonElements.compact(record).substring(1);
        return "{\"list\":"
                + Json.quote(failure.list())
                + (fields.startsWith("}") ? "" : ",")
                + fields;
    }
}
