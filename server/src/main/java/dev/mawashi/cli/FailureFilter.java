package dev.mawashi.cli;

import dev.mawashi.inspect.FailureQuery;
import dev.mawashi.wire.ResqueKeys;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags that select Resque's failed jobs: a job must meet all that are given.
final class FailureFilter {
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

    FailureQuery query() {
        return new FailureQuery(jobClass, queue, error, text);
    }

    /// @throws WrongUse when the namespace is not valid
    ResqueKeys keys() {
        return namespace.keys();
    }
}
