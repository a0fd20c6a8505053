package dev.mawashi.cli;

import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.server.ResqueSettings;
import dev.mawashi.wire.ResqueKeys;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags that say which of Resque's queues to work on.
final class ResqueOption {
    @Option(
            names = "--resque",
            paramLabel = "QUEUES",
            description =
                    "Resque's queues to work on, in strict order with commas between them: names,"
                            + " patterns (*), and with ! before them those to leave out. Sidekiq's"
                            + " are then worked on only where -q or the config file names some.")
    private @Nullable String queues;

    @Option(
            names = "--resque-namespace",
            paramLabel = "NAME",
            description = "The namespace of Resque's keys (resque).")
    private @Nullable String namespace;

    /// @param concurrency what `-c` says. Resque's jobs have run one to a process, so that without
    ///   it they go on to do so
    /// @return null when no queue of Resque's is to be worked on
    /// @throws IllegalArgumentException when the flags say what cannot be meant
    @Nullable ResqueSettings settings(
            @Nullable Integer concurrency, Map<String, String> environment) {
        if (queues == null) {
            if (namespace != null) {
                throw new WrongUse("--resque-namespace goes with --resque");
            }
            return null;
        }
        return ResqueSettings.of(
                new QueuePatterns(queues),
                namespace == null ? ResqueKeys.DEFAULT : new ResqueKeys(namespace),
                concurrency == null ? 1 : concurrency,
                environment);
    }
}
