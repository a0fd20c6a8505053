package dev.mawashi.cli;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags `--in` and `--at` of `reschedule`.
final class DueOption {
    @Option(
            names = "--in",
            paramLabel = "TIME",
            description = "Due after that time: 90, 90s, 15m, 2h or 1d.")
    private @Nullable String in;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Due at that time: 2026-12-24T18:00:00Z or epoch seconds.")
    private @Nullable String at;

    /// @throws WrongUse when neither flag or both are given, or a value is not a time
    Instant due(Instant now) {
        Instant due = Times.due(in, at, now);
        if (due == null) {
            throw new WrongUse("reschedule to when? Give --in or --at");
        }
        return due;
    }
}
