package dev.mawashi.inspect;

import java.time.Duration;
import java.util.List;

/// Where a running job is, as its process has answered.
///
/// @param runs how long it has run; for a job of a child since it was first seen to run
/// @param pid of the process that runs it
/// @param thread "" where that is a child
/// @param ruby the calls of Ruby code, innermost first; empty where that is not told
/// @param java the calls of Java code, innermost first
public record StackView(
        String slot,
        String jid,
        String jobClass,
        String queue,
        Duration runs,
        String runner,
        long pid,
        String thread,
        List<String> ruby,
        List<String> java) {
    public StackView {
        ruby = List.copyOf(ruby);
        java = List.copyOf(java);
    }

    /// Reads the answer to a question for a stack.
    public static StackView of(String json) {
        Fields fields = Fields.of(json);
        return new StackView(
                fields.text("slot"),
                fields.text("jid"),
                fields.text("class"),
                fields.text("queue"),
                Duration.ofMillis(fields.number("run_ms")),
                fields.text("runner"),
                fields.number("pid"),
                fields.text("thread"),
                fields.texts("ruby"),
                fields.texts("java"));
    }
}
