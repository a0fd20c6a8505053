package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A process that runs jobs for another one of ours, as that answers.
///
/// @param generation which start of the app's code it runs, from 1; 0 when that is not known
/// @param capsule names of the capsules whose jobs it runs
/// @param state `busy`, `idle`, `stopped` by a signal, or `leaving` when it gets no more jobs
/// @param busy jobs that it runs
/// @param slots jobs that it may run at once
/// @param memoryKib what it shares with others counts in part; empty when that is not known
public record ChildView(
        long pid,
        long generation,
        String capsule,
        String runner,
        String state,
        long busy,
        long slots,
        OptionalLong memoryKib,
        Optional<Instant> startedAt) {
    /// The answer to a question for children.
    public static String json(List<ChildView> children) {
        return JsonFields.array(children.stream().map(ChildView::json).toList());
    }

    private String json() {
        return new JsonFields()
                .number("pid", pid)
                .number("generation", generation)
                .text("capsule", capsule)
                .text("runner", runner)
                .text("state", state)
                .number("busy", busy)
                .number("slots", slots)
                .optional("memory_kib", memoryKib)
                .time("started_at", startedAt)
                .toString();
    }

    /// Reads that answer.
    public static List<ChildView> listOf(String json) {
        return JsonObject.elements(json).stream().map(JsonObject::of).map(ChildView::of).toList();
    }

    private static ChildView of(JsonObject fields) {
        return new ChildView(
                fields.number("pid"),
                fields.number("generation"),
                fields.text("capsule"),
                fields.text("runner"),
                fields.text("state"),
                fields.number("busy"),
                fields.number("slots"),
                fields.optional("memory_kib"),
                fields.instant("started_at"));
    }
}
