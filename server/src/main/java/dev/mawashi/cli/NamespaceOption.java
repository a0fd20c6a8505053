package dev.mawashi.cli;

import dev.mawashi.wire.ResqueKeys;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// The flag that says where Resque's keys are.
final class NamespaceOption {
    @Option(
            names = "--resque-namespace",
            paramLabel = "NAME",
            description = "The namespace of Resque's keys (resque).")
    private String namespace = ResqueKeys.DEFAULT.namespace();

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /// @throws WrongUse when the namespace is not valid
    ResqueKeys keys() {
        ParseResult parsed = Objects.requireNonNull(command).commandLine().getParseResult();
        if (parsed.hasMatchedOption("--resque-namespace")
                && parsed.hasMatchedOption("--namespace")) {
            throw new WrongUse(
                    "--namespace is of Sidekiq's keys, and --resque-namespace of Resque's:"
                            + " give one of them");
        }
        try {
            return new ResqueKeys(namespace);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        }
    }
}
