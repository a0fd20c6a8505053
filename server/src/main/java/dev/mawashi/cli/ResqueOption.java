package dev.mawashi.cli;

import dev.mawashi.config.ResqueChoice;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.server.ResqueSettings;
import dev.mawashi.wire.ResqueKeys;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags that say which of Resque's queues to work on, joined with `config/mawashi.yml`.
final class ResqueOption {
    @Option(
            names = "--resque",
            paramLabel = "QUEUES",
            description =
                    "Resque's queues, in strict order with commas between them: names, patterns"
                            + " (*), and with ! before them exceptions. The server then works on"
                            + " Sidekiq's queues only if -q or the config file names some."
                            + " config/mawashi.yml may name them too, under resque.")
    private @Nullable String queues;

    @Option(
            names = "--resque-namespace",
            paramLabel = "NAME",
            description = "The namespace of Resque's keys (resque).")
    private @Nullable String namespace;

    /// @param runners the settings of `config/mawashi.yml` and flags
    /// @param concurrency the value of `-c`; null without it
    /// @return null when neither flag nor file names a queue of Resque's
    /// @throws WrongUse when a value is not valid
    @Nullable ResqueSettings settings(
            RunnerChoice runners, @Nullable Integer concurrency, Map<String, String> environment) {
        ResqueChoice wanted = runners.resque().with(queues, namespace);
        if (wanted.queues() == null) {
            if (namespace != null) {
                throw new WrongUse("--resque-namespace goes with --resque");
            }
            return null;
        }
        try {
            return ResqueSettings.of(wanted, wanted.plan(runners.all(), concurrency), environment);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse("--resque: " + wrong.getMessage());
        }
    }

    /// Where Resque's keys are, whether or not its queues are worked on.
    ///
    /// @throws IllegalArgumentException when the namespace is not valid
    ResqueKeys keys(RunnerChoice runners) {
        String name = runners.resque().with(queues, namespace).namespace();
        return name == null ? ResqueKeys.DEFAULT : new ResqueKeys(name);
    }
}
