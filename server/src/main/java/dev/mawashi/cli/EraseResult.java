package dev.mawashi.cli;

import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.operate.Erased;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.RunId;
import java.util.List;
import java.util.StringJoiner;

/// The result of `mawashi erase` in words, with what it cannot do.
record EraseResult(Erased erased, boolean isDry) {
    /// Where a text may be that no command of ours reaches.
    private static final List<String> UNREACHED =
            List.of(
                    "logs and traces",
                    "Redis's files (AOF, RDB), replicas and backups",
                    "keys of other gems (unique jobs, cron, batches)",
                    "arguments that are encrypted or compressed",
                    "other Redis servers and databases",
                    "what jobs have written: the app's database, mails");

    String text() {
        StringJoiner lines = new StringJoiner("\n");
        lines.add(
                (isDry ? "would erase " : "erased ")
                        + erased.total()
                        + " jobs and records"
                        + (erased.places().isEmpty() ? "" : ":"));
        erased.places()
                .forEach((place, count) ->
                        lines.add("  " + TextTable.printable(place) + " " + count));
        if (!erased.running().isEmpty()) {
            lines.add(
                    erased.running().size()
                            + " jobs run and are left (--running cancels them, later calls find"
                            + " them where they go):");
            erased.running().forEach(one -> lines.add("  " + TextTable.printable(words(one))));
        }
        erased.refused()
                .forEach((place, reason) ->
                        lines.add("not looked at: " + TextTable.printable(place + ": " + reason)));
        lines.add("not reached: " + String.join("; ", UNREACHED));
        return lines.toString();
    }

    private static String words(InFlightReader.Holding one) {
        return name(one)
                + " "
                + one.jobClass()
                + " of queue "
                + one.queue()
                + " in "
                + one.process();
    }

    /// By which `mawashi cancel` knows it.
    private static String name(InFlightReader.Holding one) {
        return one.jid().isEmpty() ? RunId.of(one.owner(), one.token()).toString() : one.jid();
    }

    String json() {
        JsonFields places = new JsonFields();
        erased.places().forEach(places::number);
        JsonFields refused = new JsonFields();
        erased.refused().forEach(refused::text);
        List<String> running =
                erased.running().stream()
                        .map(one ->
                                new JsonFields()
                                        .text("id", name(one))
                                        .known("class", one.jobClass())
                                        .text("queue", one.queue())
                                        .text("process", one.process())
                                        .toString())
                        .toList();
        return new JsonFields()
                .text("act", "erase")
                .flag("dry_run", isDry)
                .number("erased", erased.total())
                .object("places", places)
                .array("running", running)
                .object("refused", refused)
                .texts("unreached", UNREACHED)
                .toString();
    }
}
