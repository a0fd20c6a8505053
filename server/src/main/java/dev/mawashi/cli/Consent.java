package dev.mawashi.cli;

import picocli.CommandLine.Option;

/// The flags `--all`, `--yes` and `--json` of commands that act on jobs.
final class Consent {
    @Option(names = "--all", description = "All jobs.")
    private boolean isAll;

    @Option(names = "--yes", description = "Do not ask, even if more than 10 jobs are touched.")
    private boolean isYes;

    @Option(
            names = "--json",
            description = "One JSON object: act, of, touched, gone, malformed, trimmed.")
    private boolean isJson;

    /// Whether `--yes` is given, so that the command does not ask.
    boolean isGiven() {
        return isYes;
    }

    boolean isAll() {
        return isAll;
    }

    boolean isJson() {
        return isJson;
    }

    /// Refuses a command that has neither a filter nor `--all`, or has both.
    ///
    /// @param flags that choose jobs
    /// @throws WrongUse when the flags name no jobs, or name them twice
    void requireSelection(boolean isUnfiltered, String flags) {
        if (isUnfiltered && !isAll) {
            throw new WrongUse("which jobs? Give " + flags + ", or --all");
        }
        if (!isUnfiltered && isAll) {
            throw new WrongUse("--all and a choice of jobs do not go together: give one of them");
        }
    }
}
