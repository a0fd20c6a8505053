package dev.mawashi.cli;

import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.ResqueReader;
import dev.mawashi.figures.ResqueStats;
import dev.mawashi.figures.Stats;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi queues`.
@Command(
        description = "Lists the queues and their jobs; clears and pauses queues.",
        footer = {
            "  mawashi queues",
            "  mawashi queues --json | jq 'select(.latency > 60) | .name'",
            "  mawashi queues --resque",
            "  mawashi queues jobs default --class Report",
            "  mawashi queues pause low",
        })
final class QueuesCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--resque",
            description =
                    "Resque's queues in place of Sidekiq's; with --json name, size (null where the"
                            + " key is no list) and workers that serve it.")
    private boolean isResque;

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: name, size, in_flight, latency in seconds, paused,"
                            + " served (whether a live process serves it).")
    private boolean isJson;

    QueuesCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (isResque) {
            ResqueKeys keys = namespace.keys();
            try (RedisConnection connection = context.resqueBroker(redis).connect("inspect")) {
                return WrongKey.explain(
                        keys.queues() + " or " + keys.workers(),
                        "set",
                        () ->
                                listResque(
                                        new ResqueReader(connection, keys).stats().queues(), keys));
            }
        }
        try (Inspector inspector =
                new Inspector(context.broker(redis).connect("inspect"), context.clock())) {
            return WrongKey.explain(
                    "queues, processes or mw:queues",
                    "set",
                    () -> list(inspector.stats().queues()));
        }
    }

    private int list(List<Stats.QueueStats> queues) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            queues.forEach(queue -> out.println(queue.json()));
        } else if (queues.isEmpty()) {
            spec.commandLine().getErr().println("no queues");
        } else {
            out.print(QueueRows.table(queues));
        }
        out.flush();
        queues.stream()
                .filter(queue -> !queue.isList())
                .forEach(queue -> tellUnusable(Keys.queue(queue.name())));
        return Main.DONE;
    }

    private int listResque(List<ResqueStats.Queue> queues, ResqueKeys keys) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            queues.forEach(queue -> out.println(queue.json()));
        } else if (queues.isEmpty()) {
            spec.commandLine().getErr().println("no queues");
        } else {
            TextTable table = new TextTable("queue", "waiting", "workers");
            queues.forEach(queue ->
                    table.row(
                            queue.name(),
                            TextTable.number(queue.size()),
                            TextTable.number(queue.workers())));
            out.print(table);
        }
        out.flush();
        queues.stream()
                .filter(queue -> !queue.isList())
                .forEach(queue -> tellUnusable(keys.layout().queue(queue.name())));
        return Main.DONE;
    }

    private void tellUnusable(String key) {
        String message = WrongKey.message(key, "list");
        spec.commandLine().getErr().println("mawashi: " + message);
    }
}
