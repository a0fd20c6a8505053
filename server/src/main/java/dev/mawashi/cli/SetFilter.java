package dev.mawashi.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/// The flags that select jobs of a set beside those of `JobFilter`.
final class SetFilter {
    static final String FLAGS = "--queue, --after, --before";

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

    Map<String, List<String>> fields() {
        return Map.of("queue", List.of(queue), "after", List.of(after), "before", List.of(before));
    }
}
