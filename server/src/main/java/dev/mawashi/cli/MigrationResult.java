package dev.mawashi.cli;

import dev.mawashi.migrate.Ends;
import dev.mawashi.migrate.Found;
import dev.mawashi.migrate.Left;
import dev.mawashi.migrate.Migrated;
import dev.mawashi.wire.JsonFields;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/// The result of `mawashi migrate`, or of a look at what it would do.
record MigrationResult(boolean isDry, Ends.Names names, Migrated migrated) {
    static MigrationResult of(Ends.Names names, Migrated migrated) {
        return new MigrationResult(false, names, migrated);
    }

    static MigrationResult dry(Ends.Names names, Found found) {
        Left left = Left.of(found, Set.of());
        return new MigrationResult(true, names, new Migrated(found.sizes(), Map.of(), left));
    }

    String text() {
        StringJoiner lines = new StringJoiner("\n");
        lines.add(
                "%s %s from %s to %s"
                        .formatted(
                                ActResult.jobs(migrated.sum()),
                                isDry ? "would move" : "moved",
                                TextTable.printable(names.from()),
                                TextTable.printable(names.to())));
        migrated.jobs()
                .forEach((place, jobs) ->
                        lines.add(
                                "  " + TextTable.printable(place) + " " + TextTable.number(jobs)));
        migrated.refused()
                .forEach((place, reason) ->
                        lines.add("not moved: " + TextTable.printable(place + ": " + reason)));
        Left left = migrated.left();
        if (left.processes() + left.inFlight() + (isDry ? 0 : left.waiting()) > 0) {
            lines.add(
                    "left: processes %s, jobs in hand %s, other jobs %s"
                            .formatted(left.processes(), left.inFlight(), left.waiting()));
        }
        return lines.toString();
    }

    String json() {
        JsonFields places = new JsonFields();
        migrated.jobs().forEach(places::number);
        JsonFields refused = new JsonFields();
        migrated.refused().forEach(refused::text);
        Left left = migrated.left();
        return new JsonFields()
                .text("act", "migrate")
                .flag("dry_run", isDry)
                .text("from", names.from())
                .text("to", names.to())
                .number("jobs", migrated.sum())
                .object("places", places)
                .object("refused", refused)
                .number("processes", left.processes())
                .number("in_flight", left.inFlight())
                .number("waiting", left.waiting())
                .toString();
    }
}
