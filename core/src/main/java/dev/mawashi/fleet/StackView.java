package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Duration;
import java.util.List;

/// The place in its code where a running job is, as its process answers.
///
/// @param runs how long it has run; for a job of a child since it was first seen to run
/// @param pid of the process that runs it
/// @param thread "" where that is a child
/// @param ruby the calls of Ruby code, innermost first; empty where that is unknown
/// @param java the calls of Java code, innermost first
/// @param lockedBy the holder of the lock that the job waits for: a job and its thread, or a
///   thread; "" where it waits for none, or the holder is unknown
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
        List<String> java,
        String lockedBy) {
    public StackView {
        ruby = List.copyOf(ruby);
        java = List.copyOf(java);
    }

    /// What the job waits for, in one sentence; "" when no known wait is at the top of its Ruby
    /// calls, and nobody is known to hold a lock that it waits for.
    public String waitsFor() {
        return lockedBy.isEmpty() ? Waits.of(ruby) : Waits.LOCK + lockedBy;
    }

    /// The answer to a question for stacks.
    public static String json(List<StackView> stacks) {
        return JsonFields.array(stacks.stream().map(StackView::json).toList());
    }

    /// Reads that answer.
    public static List<StackView> listOf(String json) {
        return JsonObject.elements(json).stream().map(JsonObject::of).map(StackView::of).toList();
    }

    /// The answer to a question for a stack.
    public String json() {
        return new JsonFields()
                .text("slot", slot)
                .known("jid", jid)
                .known("class", jobClass)
                .text("queue", queue)
                .number("run_ms", runs.toMillis())
                .text("runner", runner)
                .number("pid", pid)
                .known("thread", thread)
                .known("waits_for", waitsFor())
                .known("locked_by", lockedBy)
                .texts("ruby", ruby)
                .texts("java", java)
                .toString();
    }

    /// Reads that answer.
    public static StackView of(String json) {
        return of(JsonObject.of(json));
    }

    private static StackView of(JsonObject fields) {
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
                fields.texts("java"),
                fields.text("locked_by"));
    }
}
