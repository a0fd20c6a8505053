package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import picocli.CommandLine.Option;

/// The flag `--dead-max` of `bury`: a command does not know the app's own setting.
final class DeadMaxOption {
    @Option(
            names = "--dead-max",
            paramLabel = "N",
            description =
                    "The app's dead_max_jobs (10000); beyond it the oldest jobs leave the dead"
                            + " set.")
    private int max = DeadLimits.DEFAULT.maxJobs();

    /// @throws WrongUse when it is out of range
    DeadLimits limits() {
        if (max < 1) {
            throw new WrongUse("--dead-max " + max + " is out of range: give 1 or more");
        }
        return new DeadLimits(max, DeadLimits.DEFAULT.maxAge());
    }
}
