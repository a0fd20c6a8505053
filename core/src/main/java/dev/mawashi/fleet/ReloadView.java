package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// The settings of a process that differed from its files when it read them again, as it answers.
///
/// @param changed those that it works by from now on, each with its new value
/// @param atStart those that only a start changes
public record ReloadView(List<String> changed, List<String> atStart) {
    public ReloadView {
        changed = List.copyOf(changed);
        atStart = List.copyOf(atStart);
    }

    /// The answer to the question.
    public String json() {
        return new JsonFields().texts("changed", changed).texts("at_start", atStart).toString();
    }

    /// In one line, for the record of changes.
    public String summary() {
        List<String> all = new ArrayList<>(changed);
        atStart.forEach(one -> all.add("at its next start only: " + one));
        return all.isEmpty() ? "nothing has changed" : String.join("; ", all);
    }

    /// Reads that answer.
    public static ReloadView of(String json) {
        JsonObject fields = JsonObject.of(json);
        return new ReloadView(fields.texts("changed"), fields.texts("at_start"));
    }
}
