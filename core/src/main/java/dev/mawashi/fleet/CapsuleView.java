package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;

/// A pool of slots of a process of ours, as of its last beat.
///
/// @param runner such as `jruby`
/// @param slots jobs that it may run at once
/// @param busy jobs that it runs
public record CapsuleView(String name, String runner, long slots, long busy) {
    static CapsuleView of(JsonObject fields) {
        return new CapsuleView(
                fields.text("name"),
                fields.text("runner"),
                fields.number("slots"),
                fields.number("busy"));
    }

    /// The same in the record and for programs.
    String json() {
        return new JsonFields()
                .text("name", name)
                .text("runner", runner)
                .number("slots", slots)
                .number("busy", busy)
                .toString();
    }
}
