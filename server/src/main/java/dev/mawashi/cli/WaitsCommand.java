package dev.mawashi.cli;

import dev.mawashi.figures.ClassJson;
import dev.mawashi.figures.RunTimes;
import dev.mawashi.figures.WaitReader;
import dev.mawashi.redis.RedisConnection;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi stats waits`.
@Command(
        name = "waits",
        description =
                "Prints the waits of jobs in the last "
                        + WaitReader.MINUTES
                        + " minutes, from the enqueueing to Mawashi's claim.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi stats waits",
            "  mawashi stats waits --json | jq .p95_ms",
        })
final class WaitsCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object: minutes, jobs, p50_ms, p95_ms, p99_ms, percentiles of the"
                            + " waits, and histogram, jobs by Sidekiq's buckets.")
    private boolean isJson;

    WaitsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (RedisConnection connection = context.broker(redis).connect("stats")) {
            RunTimes waits = new WaitReader(connection, context.clock()).waits();
            PrintWriter out = spec.commandLine().getOut();
            if (isJson) {
                out.println(ClassJson.ofWaits(waits, WaitReader.MINUTES));
            } else if (waits.total() == 0) {
                spec.commandLine()
                        .getErr()
                        .println(
                                "no job was claimed in the last "
                                        + WaitReader.MINUTES
                                        + " minutes");
            } else {
                TextTable table = new TextTable("jobs", "p50", "p95", "p99");
                table.row(
                        TextTable.number(waits.total()),
                        ClassesCommand.below(waits.percentileMillis(50)),
                        ClassesCommand.below(waits.percentileMillis(95)),
                        ClassesCommand.below(waits.percentileMillis(99)));
                out.print(table);
            }
            out.flush();
        }
        return Main.DONE;
    }
}
