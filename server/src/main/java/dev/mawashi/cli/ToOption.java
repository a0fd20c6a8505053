package dev.mawashi.cli;

import picocli.CommandLine.Option;

/// The flag `--to` of `requeue`.
final class ToOption {
    @Option(
            names = "--to",
            paramLabel = "QUEUE",
            required = true,
            description = "The queue for the jobs.")
    private String queue = "";

    /// @throws WrongUse when the name is empty
    String queue() {
        if (queue.isBlank()) {
            throw new WrongUse("--to is empty: give the name of a queue");
        }
        return queue;
    }
}
