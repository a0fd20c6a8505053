package dev.mawashi.cli;

import dev.mawashi.cron.CronReader;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi cron`.
@Command(
        description =
                "Lists the schedules of the servers that run and of the app's gem, and acts on them.",
        footer = {"  mawashi cron", "  mawashi cron --json", "  mawashi cron run nightly"})
final class CronCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: name, cron, zone, class, queue, active_job,"
                            + " missed, description, gem, paused, next (the next time), runs (the"
                            + " last).")
    private boolean isJson;

    CronCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (CronReader reader = new CronReader(context.broker(redis).connect("cron"))) {
            list(reader.all());
        }
        return Main.DONE;
    }

    private void list(List<CronReader.View> views) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            views.forEach(view -> out.println(view.json()));
        } else if (views.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "no schedules: no server runs that has a cron in config/mawashi.yml,"
                                    + " and the app's gem has none");
        } else {
            TextTable table =
                    TextTable.ofText(
                            "name", "cron", "zone", "class", "queue", "next", "last", "outcome");
            views.forEach(view -> row(table, view));
            out.print(table);
        }
        out.flush();
    }

    private static void row(TextTable table, CronReader.View view) {
        var schedule = view.schedule();
        table.row(
                schedule.name(),
                schedule.cron(),
                schedule.usedZone(),
                schedule.jobClass(),
                schedule.queue(),
                view.isPaused()
                        ? "paused"
                        : view.next().stream().findFirst().map(CronCommand::text).orElse(""),
                view.last().map(CronCommand::text).orElse(""),
                view.runs().isEmpty() ? "" : view.runs().getFirst().text("outcome"));
    }

    static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
