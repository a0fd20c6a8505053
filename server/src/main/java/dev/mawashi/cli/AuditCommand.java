package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.wire.Keys;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi audit`.
@Command(
        description = {
            "Lists changes by commands, the page and its API, the newest first. The last 1,000 are"
                    + " kept.",
            "A change that stays begun is under way, or its process died. For ten minutes mawashi"
                    + " undo takes a change back, also what a begun one has done.",
        },
        footer = {"  mawashi audit", "  mawashi audit --limit 1000 --json"})
final class AuditCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(names = "--limit", paramLabel = "N", description = "Most changes (25).")
    private int limit = 25;

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: id, at, who, role, address, act, place, to, detail,"
                            + " state, touched, gone, malformed, trimmed, kept.")
    private boolean isJson;

    AuditCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (limit < 1 || limit > AuditLog.LINES_MAX) {
            throw new WrongUse("--limit " + limit + " is out of range: give 1 to 1000");
        }
        RedisBroker broker = context.broker(redis);
        try (Recorder recorder = context.recorder(broker)) {
            return WrongKey.explain(Keys.AUDIT, "list", () -> list(recorder.audit().newest(limit)));
        }
    }

    private int list(List<AuditEntry> entries) {
        var out = spec.commandLine().getOut();
        if (isJson) {
            entries.forEach(entry -> out.println(entry.json()));
        } else if (entries.isEmpty()) {
            spec.commandLine().getErr().println("no changes");
        } else {
            TextTable table =
                    TextTable.ofText(
                            "at", "id", "who", "role", "act", "place", "jobs", "state", "detail");
            entries.forEach(entry -> row(table, entry));
            out.print(table);
        }
        out.flush();
        return Main.DONE;
    }

    private static void row(TextTable table, AuditEntry entry) {
        table.row(
                "" + entry.at().truncatedTo(ChronoUnit.SECONDS),
                entry.id(),
                entry.author().name(),
                entry.author().role(),
                entry.act(),
                entry.place() + (entry.to().isEmpty() ? "" : " to " + entry.to()),
                TextTable.number(entry.report().touched()),
                entry.state().word(),
                entry.detail());
    }
}
