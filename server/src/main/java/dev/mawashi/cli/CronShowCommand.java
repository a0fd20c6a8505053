package dev.mawashi.cli;

import dev.mawashi.config.Nearest;
import dev.mawashi.cron.CronReader;
import dev.mawashi.cron.ShownSchedule;
import dev.mawashi.wire.JsonObject;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi cron show`.
@Command
final class CronShowCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "A schedule's name.")
    private String name = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object: as mawashi cron --json, with the next ten times and the last 20"
                            + " runs: outcome, tick, at, jid, by, reason.")
    private boolean isJson;

    CronShowCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (CronReader reader = new CronReader(context.broker(redis).connect("cron"))) {
            CronReader.View view = find(reader, name);
            PrintWriter out = spec.commandLine().getOut();
            if (isJson) {
                out.println(view.json());
            } else {
                print(out, view);
            }
            out.flush();
        }
        return Main.DONE;
    }

    /// @throws CommandFailure when no server has it
    static CronReader.View find(CronReader reader, String name) {
        return reader.one(name)
                .orElseThrow(() -> {
                    List<String> known =
                            reader.all().stream().map(view -> view.schedule().name()).toList();
                    String hint =
                            Nearest.to(name, known)
                                    .map(near -> ", did you mean " + near + "?")
                                    .orElse(": mawashi cron lists them");
                    return new CommandFailure(
                            "no server has a schedule " + TextTable.printable(name) + hint);
                });
    }

    private static void print(PrintWriter out, CronReader.View view) {
        ShownSchedule schedule = view.schedule();
        line(out, "name", schedule.name());
        line(out, "cron", schedule.shownLine());
        line(out, "class", schedule.jobClass());
        if (!schedule.queue().isEmpty()) {
            line(out, "queue", schedule.queue());
        }
        line(out, "missed", schedule.missed().word());
        if (!schedule.gem().isEmpty()) {
            line(out, "gem", schedule.gem());
        }
        line(out, "paused", view.isPaused() ? "yes" : "no");
        if (!schedule.description().isEmpty()) {
            line(out, "description", schedule.description());
        }
        for (Instant time : view.next()) {
            line(out, "next", CronCommand.text(time));
        }
        TextTable runs = TextTable.ofText("at", "tick", "outcome", "jid", "by", "reason");
        for (JsonObject run : view.runs()) {
            runs.row(
                    run.instant("at").map(CronCommand::text).orElse(""),
                    run.instant("tick").map(CronCommand::text).orElse(""),
                    run.text("outcome"),
                    run.text("jid"),
                    run.text("by"),
                    run.text("reason"));
        }
        if (!view.runs().isEmpty()) {
            out.print(runs);
        }
    }

    private static void line(PrintWriter out, String label, String text) {
        out.printf("%-12s %s%n", label, TextTable.printable(text));
    }
}
