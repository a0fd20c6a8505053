package dev.mawashi.cli;

import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats.QueueStats;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.sizing.NoQueue;
import dev.mawashi.sizing.ServingPool;
import dev.mawashi.sizing.SizeBounds;
import dev.mawashi.sizing.SizeReader;
import dev.mawashi.sizing.Sizing;
import dev.mawashi.sizing.WantedSize;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi scale`.
@Command(
        description = {
            "Says how many processes the queues need now, and why.",
            "One number for each group of processes that serve the same queues, or one for the"
                    + " queues of -q. Nothing is started or stopped. Ends with 1 where a number is"
                    + " unknown.",
        },
        footer = {
            "  mawashi scale",
            "  mawashi scale -q default -q 'mail*' --latency 10 --max 20",
            "  mawashi scale -q default --json | jq .wanted",
        })
final class ScaleCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = {"-q", "--queue"},
            paramLabel = "QUEUE",
            description =
                    "A queue, or a pattern in which * stands for anything; may be given several"
                            + " times.")
    private List<String> queues = new ArrayList<>();

    @Option(
            names = "--latency",
            paramLabel = "SECONDS",
            description =
                    "Longest wait of a queue's next job, " + SizeBounds.LATENCY + " unless given.")
    private int latency = SizeBounds.LATENCY;

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            description =
                    "Longest time in which all waiting jobs are to be done, "
                            + SizeBounds.DRAIN
                            + " unless given.")
    private int drain = SizeBounds.DRAIN;

    @Option(
            names = "--min",
            paramLabel = "N",
            description = "Fewest processes, " + SizeBounds.MIN + " unless given.")
    private int min = SizeBounds.MIN;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "Most processes, " + SizeBounds.MAX + " unless given.")
    private int max = SizeBounds.MAX;

    @Option(names = "--json", description = "One JSON object per line: " + WantedSize.WORDS + ".")
    private boolean isJson;

    ScaleCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        SizeBounds bounds = bounds();
        try (RedisConnection connection = context.broker(redis).connect("inspect")) {
            List<WantedSize> sizes =
                    WrongKey.explain(
                            "queues, processes or mw:queues",
                            "set",
                            () ->
                                    pools(connection).stream()
                                            .map(pool -> Sizing.of(pool, bounds))
                                            .toList());
            return print(sizes);
        } catch (NoQueue none) {
            throw new CommandFailure(TextTable.printable("" + none.getMessage()));
        }
    }

    private SizeBounds bounds() {
        try {
            return new SizeBounds(latency, drain, min, max);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse("--" + wrong.getMessage());
        }
    }

    private List<ServingPool> pools(RedisConnection connection) {
        List<QueueStats> all = new Inspector(connection, context.clock()).stats().queues();
        SizeReader reader = new SizeReader(connection, context.clock());
        return queues.isEmpty() ? reader.pools(all) : List.of(reader.pool(queues, all));
    }

    private int print(List<WantedSize> sizes) {
        if (sizes.isEmpty()) {
            throw new CommandFailure("no live process serves a queue: start one with mawashi run");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            sizes.forEach(size -> out.println(size.json()));
        } else {
            TextTable table = TextTable.ofText("queues", "now", "wanted", "why");
            sizes.forEach(size ->
                    table.row(
                            String.join(",", size.pool().queues()),
                            TextTable.number(size.pool().processes()),
                            size.wanted().isPresent()
                                    ? TextTable.number(size.wanted().getAsLong())
                                    : "unknown",
                            size.reason()));
            out.print(table);
        }
        out.flush();
        return sizes.stream().allMatch(size -> size.wanted().isPresent()) ? Main.DONE : Main.FAILED;
    }
}
