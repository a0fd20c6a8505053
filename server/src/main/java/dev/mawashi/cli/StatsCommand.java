package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.redisfacts.Durability;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi stats`.
@Command(
        name = "stats",
        description = "Prints the numbers of waiting, running and done jobs.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi stats",
            "  mawashi stats --json | jq .queues",
            "  mawashi stats redis",
            "  mawashi stats waits",
        })
final class StatsCommand implements Callable<Integer> {
    private final Map<String, String> environment;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object: processed, failed, enqueued, scheduled, retries, dead,"
                            + " processes, busy, queues with name, size, in_flight, latency in"
                            + " seconds, paused and served, and durability with grade,"
                            + " persistence, replicas, min_replicas, eviction and maxmemory"
                            + " (null: unknown).")
    private boolean isJson;

    StatsCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        RedisBroker broker = new RedisBroker(redis.address(environment), DeadLimits.DEFAULT);
        PrintWriter out = spec.commandLine().getOut();
        try (Inspector inspector = new Inspector(broker.connect("stats"), InstantSource.system())) {
            Stats stats = inspector.stats();
            Durability durability = inspector.durability();
            if (isJson) {
                out.println(stats.json(durability));
            } else {
                out.print(table(stats, durability));
            }
            out.flush();
        }
        return Main.DONE;
    }

    private static String table(Stats stats, Durability durability) {
        TextTable totals = new TextTable("processed", "failed", "enqueued", "scheduled", "retries");
        totals.header("dead", "processes", "busy");
        totals.row(
                TextTable.number(stats.processed()),
                TextTable.number(stats.failed()),
                TextTable.number(stats.enqueued()),
                TextTable.number(stats.scheduled()),
                TextTable.number(stats.retries()),
                TextTable.number(stats.dead()),
                TextTable.number(stats.processes()),
                TextTable.number(stats.busy()));
        String line = System.lineSeparator();
        return totals
                + (stats.queues().isEmpty() ? "" : line + QueueRows.table(stats.queues()))
                + line
                + "Redis: "
                + durability.describe()
                + line;
    }
}
