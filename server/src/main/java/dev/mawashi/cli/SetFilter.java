package dev.mawashi.cli;

import dev.mawashi.inspect.QueryFields;
import dev.mawashi.inspect.TimeRange;
import java.time.Instant;
import picocli.CommandLine.Option;

/// The flags that select jobs of a set beside those of `JobFilter`.
final class SetFilter {
    @Option(
            names = "--queue",
            paramLabel = "NAME",
            description = "Jobs whose payload names this queue.")
    private String queue = "";

    @Option(
            names = "--after",
            paramLabel = "TIME",
            description =
                    "Jobs due, or dead, from then on: a time, in 2h, or 2h ago as --after=-2h.")
    private String after = "";

    @Option(
            names = "--before",
            paramLabel = "TIME",
            description = "Jobs due, or dead, before, written as with --after.")
    private String before = "";

    String queue() {
        return queue;
    }

    /// @throws WrongUse when a time is none
    TimeRange due(Instant now) {
        try {
            return new TimeRange(
                    QueryFields.due("after", after, now), QueryFields.due("before", before, now));
        } catch (QueryFields.NoTime wrong) {
            throw new WrongUse("--" + wrong.getMessage());
        }
    }
}
