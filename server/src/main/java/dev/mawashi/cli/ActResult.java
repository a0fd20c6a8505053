package dev.mawashi.cli;

import dev.mawashi.operate.Act;
import dev.mawashi.operate.Report;
import dev.mawashi.wire.JsonFields;
import picocli.CommandLine.Model.CommandSpec;

/// The result of an act on jobs, as its command prints it.
///
/// @param past what has become of the jobs
/// @param place where they were
record ActResult(Act act, String past, String place, Report report) {

    /// Prints the result and returns the exit code: 1 when no job was touched and `--all` is not
    /// given.
    static int print(CommandSpec spec, ActResult result, Consent consent) {
        var out = spec.commandLine().getOut();
        if (consent.isJson()) {
            out.println(result.json());
        } else {
            out.println(result.text());
        }
        boolean isNothing = result.report().touched() == 0 && !consent.isAll();
        return isNothing ? Main.FAILED : Main.DONE;
    }

    static String jobs(long count) {
        return TextTable.number(count) + (count == 1 ? " job" : " jobs");
    }

    String text() {
        StringBuilder text = new StringBuilder();
        if (report.touched() == 0) {
            text.append("no job of ").append(TextTable.printable(place)).append(" was ");
        } else {
            text.append(jobs(report.touched())).append(" of ").append(TextTable.printable(place));
            text.append(report.touched() == 1 ? " was " : " were ");
        }
        text.append(past);
        append(text, report.gone(), "gone by then");
        append(text, report.malformed(), "no job and left where it is");
        append(text, report.trimmed(), "trimmed from the full dead set");
        return text.toString();
    }

    private static void append(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append("; ").append(TextTable.number(count)).append(' ').append(what);
        }
    }

    String json() {
        return new JsonFields()
                .text("act", act.word())
                .text("of", place)
                .number("touched", report.touched())
                .number("gone", report.gone())
                .number("malformed", report.malformed())
                .number("trimmed", report.trimmed())
                .toString();
    }
}
