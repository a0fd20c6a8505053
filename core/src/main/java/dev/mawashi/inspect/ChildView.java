package dev.mawashi.inspect;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A process that runs jobs for another one of ours, as that has answered.
///
/// @param state `busy`, `idle`, `stopped` by a signal, or `leaving` when it gets no more jobs
/// @param busy jobs that it runs
/// @param slots jobs that it may run at once
/// @param memoryKib what it shares with others counts in part; empty when that is not known
public record ChildView(
        long pid,
        String capsule,
        String runner,
        String state,
        long busy,
        long slots,
        OptionalLong memoryKib,
        Optional<Instant> startedAt) {

    /// Reads the answer to a question for children.
    public static List<ChildView> listOf(String json) {
        return Fields.elements(json).stream().map(Fields::of).map(ChildView::of).toList();
    }

    private static ChildView of(Fields fields) {
        return new ChildView(
                fields.number("pid"),
                fields.text("capsule"),
                fields.text("runner"),
                fields.text("state"),
                fields.number("busy"),
                fields.number("slots"),
                fields.optional("memory_kib"),
                fields.instant("started_at"));
    }
}
