package dev.mawashi.doctor;

import dev.mawashi.wire.JsonFields;

/// A place in the code.
///
/// @param file relative to the app's folder
/// @param line from 1
/// @param code the name or call that it is about
/// @param isAtLoad whether it happens while the file is loaded, and not in a method
public record Finding(Rule rule, String file, int line, String code, boolean isAtLoad) {
    /// The runner that a job with this code needs. At load nothing runs beside it.
    BestRunner runner() {
        return isAtLoad && rule != Rule.SYNTAX && rule != Rule.MRI_ONLY
                ? BestRunner.JRUBY
                : rule.runner();
    }

    /// One line for people.
    public String describe() {
        return file + ":" + line + ": " + code + ": " + rule.meaning();
    }

    String json() {
        return new JsonFields()
                .text("rule", rule.word())
                .text("file", file)
                .number("line", line)
                .text("code", code)
                .text("runner", runner().word())
                .text("text", rule.meaning())
                .toString();
    }
}
