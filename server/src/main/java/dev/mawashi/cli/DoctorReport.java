package dev.mawashi.cli;

import dev.mawashi.doctor.BootFindings;
import dev.mawashi.doctor.ClassVerdict;
import dev.mawashi.doctor.Examination;
import dev.mawashi.doctor.Finding;
import dev.mawashi.doctor.GemVerdict;
import dev.mawashi.wire.JsonFields;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Prints what the doctor has found, as tables for people or as one JSON object.
final class DoctorReport {
    private static final int FINDINGS_SHOWN = 25;
    private static final int REASONS_SHOWN = 3;

    private final Examination examination;
    private final List<MachineCheck> machine;
    private final @Nullable BootFindings boot;

    /// @param machine none where the machine was not looked at
    /// @param boot null where the app was not booted
    DoctorReport(Examination examination, List<MachineCheck> machine, @Nullable BootFindings boot) {
        this.examination = examination;
        this.machine = List.copyOf(machine);
        this.boot = boot;
    }

    /// Whether something must change before a server does its work.
    boolean mustChange() {
        return examination.mustChange()
                || machine.stream().anyMatch(MachineCheck::isError)
                || (boot != null && !boot.loads());
    }

    String json() {
        JsonFields fields =
                new JsonFields()
                        .all(examination.json().toString())
                        .array("machine", machine.stream().map(MachineCheck::json).toList());
        if (boot != null) {
            fields.json("boot", boot.json());
        }
        return fields.flag("must_change", mustChange()).toString();
    }

    void print(PrintWriter out) {
        printClasses(out);
        printGems(out);
        printFindings(out);
        if (!machine.isEmpty()) {
            TextTable table = TextTable.ofText("machine", "", "found", "remedy");
            machine.forEach(one -> table.row(one.name(), one.word(), one.text(), one.remedy()));
            out.printf("%s%n", table);
        }
        if (boot != null) {
            printBoot(out, boot);
        }
        examination.troubles().forEach(one -> out.println("not read: " + printable(one)));
        out.printf("%s%n", examination.troubles().isEmpty() ? "" : System.lineSeparator());
        out.print(printable(examination.config()));
    }

    private static void printBoot(PrintWriter out, BootFindings boot) {
        if (!boot.faults().isEmpty()) {
            TextTable table = TextTable.ofText("boot on JRuby", "remedy");
            boot.faults().forEach(one -> table.row(one.describe(), one.remedy()));
            out.print(table);
        }
        out.printf("%s%n%n", boot.summary());
    }

    private void printClasses(PrintWriter out) {
        TextTable table = TextTable.ofText("job class", "runner", "reasons");
        for (ClassVerdict one : examination.classes()) {
            List<String> reasons = one.reasons();
            int shown = Math.min(reasons.size(), REASONS_SHOWN);
            for (int i = 0; i < shown; i++) {
                String more =
                        i == shown - 1 && reasons.size() > shown
                                ? " (and " + (reasons.size() - shown) + " more: --json)"
                                : "";
                table.row(
                        i == 0 ? one.name() : "",
                        i == 0 ? one.runner().word() : "",
                        reasons.get(i) + more);
            }
        }
        out.printf("%s%n", table);
        if (examination.classes().isEmpty()) {
            out.printf(Locale.ROOT, "no job class in %,d Ruby files%n%n", examination.files());
        }
    }

    private void printGems(PrintWriter out) {
        TextTable table = TextTable.ofText("gem", "version", "runner", "what is known");
        List<GemVerdict> noted = examination.gems().stream().filter(GemVerdict::isNoted).toList();
        for (GemVerdict gem : noted) {
            String runner = gem.isRefused() ? "none" : gem.runner().word();
            table.row(gem.name(), gem.version(), runner, gem.reason());
        }
        if (!examination.gems().isEmpty()) {
            out.printf("%s", table);
            int others = examination.gems().size() - noted.size();
            out.printf(Locale.ROOT, "%,d other gems: nothing speaks against jruby%n%n", others);
        }
    }

    private void printFindings(PrintWriter out) {
        List<Finding> all = examination.elsewhere();
        if (all.isEmpty()) {
            return;
        }
        out.println("elsewhere in the app, or to be known:");
        all.stream()
                .limit(FINDINGS_SHOWN)
                .forEach(one -> out.println("  " + printable(one.describe())));
        if (all.size() > FINDINGS_SHOWN) {
            out.printf(Locale.ROOT, "  and %,d more (--json)%n", all.size() - FINDINGS_SHOWN);
        }
        out.println();
    }

    /// Keeps the ends of lines.
    private static String printable(String text) {
        return text.lines()
                .map(TextTable::printable)
                .reduce((one, other) -> one + "\n" + other)
                .map(all -> text.endsWith("\n") ? all + "\n" : all)
                .orElse("");
    }
}
