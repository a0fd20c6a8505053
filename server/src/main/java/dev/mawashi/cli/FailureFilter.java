package dev.mawashi.cli;

import dev.mawashi.operate.Selection;
import dev.mawashi.wire.ResqueKeys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags that select Resque's failed jobs: a job must meet all that are given.
final class FailureFilter {
    static final String FLAGS = "--class, --queue, --error, --text";

    @Option(names = "--class", paramLabel = "NAME", description = "Jobs of this class.")
    private String jobClass = "";

    @Option(names = "--queue", paramLabel = "NAME", description = "Jobs that ran from this queue.")
    private String queue = "";

    @Option(
            names = "--error",
            paramLabel = "TEXT",
            description = "Jobs whose error's class or message contains this.")
    private String error = "";

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "Jobs whose arguments, as JSON, contain this.")
    private String text = "";

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    Selection selection(Instant now) {
        return JobChoice.selected(
                Map.of(
                        "class", List.of(jobClass),
                        "queue", List.of(queue),
                        "error", List.of(error),
                        "text", List.of(text)),
                now);
    }

    /// @throws WrongUse when the namespace is not valid
    ResqueKeys keys() {
        return namespace.keys();
    }
}
