package dev.mawashi.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// The flags `--yes` and `--json` of `clear`.
final class ClearOptions {
    @Option(names = "--yes", description = "Do not ask, even if more than 10 jobs are deleted.")
    private boolean isYes;

    @Option(
            names = "--json",
            description = "One JSON object: act, of, touched, gone, malformed, trimmed.")
    private boolean isJson;

    void ask(long count, String place, Terminal terminal, CommandSpec spec) {
        if (!isYes && count > Terminal.TOUCHED_UNASKED_MAX) {
            String deed = "delete " + ActResult.jobs(count) + " of " + TextTable.printable(place);
            terminal.confirm(deed, spec.commandLine().getErr());
        }
    }

    int print(ActResult result, CommandSpec spec) {
        spec.commandLine().getOut().println(isJson ? result.json() : result.text());
        return Main.DONE;
    }
}
