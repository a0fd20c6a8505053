package dev.mawashi.cli;

import dev.mawashi.wire.ResqueKeys;
import picocli.CommandLine.Option;

/// The flag that says where Resque's keys are.
final class NamespaceOption {
    @Option(
            names = "--resque-namespace",
            paramLabel = "NAME",
            description = "The namespace of Resque's keys (resque).")
    private String namespace = ResqueKeys.DEFAULT.namespace();

    /// @throws WrongUse when the namespace is not valid
    ResqueKeys keys() {
        try {
            return new ResqueKeys(namespace);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        }
    }
}
