package dev.mawashi.cli;

import dev.mawashi.figures.ClassJson;
import dev.mawashi.figures.ClassRuns;
import dev.mawashi.figures.ClassTable;
import dev.mawashi.figures.MetricsReader;
import dev.mawashi.figures.Period;
import dev.mawashi.figures.RunTimes;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.RunTimeBuckets;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi classes`.
@Command(
        description = {
            "Lists job classes with their runs, failures, run times and runners.",
            "The figures are Sidekiq's own metrics, which Sidekiq 7 and newer and Mawashi write; a"
                    + " run in a Sidekiq process has the runner elsewhere.",
        },
        footer = {
            "  mawashi classes",
            "  mawashi classes --period 24h --json",
            "  mawashi classes Report",
        })
final class ClassesCommand implements Callable<Integer> {
    private static final int BAR_MAX = 40;
    private static final double PERCENT = 100;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "CLASS",
            description = "One class, with the histogram of its run times.")
    private @Nullable String jobClass;

    @Option(
            names = "--period",
            paramLabel = "SPAN",
            description = "How far back: 15m, 1h (the default), 8h, 24h or 72h.")
    private String period = "1h";

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: class, processed, failed, millis, by_runner, and"
                            + " p50_ms, p95_ms, p99_ms, percentiles of successful runs.")
    private boolean isJson;

    ClassesCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        Period span =
                Period.of(period)
                        .orElseThrow(() ->
                                new WrongUse("--period " + period + ": give " + Period.names()));
        try (RedisConnection connection = context.broker(redis).connect("inspect")) {
            MetricsReader reader = new MetricsReader(connection, context.clock());
            return jobClass == null ? list(reader.classes(span)) : one(reader.one(jobClass, span));
        }
    }

    private int list(ClassTable found) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            found.classes().forEach(runs -> out.println(ClassJson.of(runs)));
        } else if (found.classes().isEmpty()) {
            spec.commandLine().getErr().println("no class has run in the last " + period);
        } else {
            TextTable table = table();
            found.classes().forEach(runs -> row(table, runs));
            out.print(table);
        }
        out.flush();
        if (found.total() > found.classes().size()) {
            spec.commandLine()
                    .getErr()
                    .println("of " + found.total() + " classes those with the most runs");
        }
        return Main.DONE;
    }

    private static TextTable table() {
        return new TextTable("class", "runs", "failed", "p50", "p95", "p99", "total", "by runner");
    }

    private static void row(TextTable table, ClassRuns runs) {
        table.row(
                runs.jobClass(),
                TextTable.number(runs.processed()),
                String.format(Locale.ROOT, "%.1f %%", runs.failedShare() * PERCENT),
                below(runs.times().percentileMillis(50)),
                below(runs.times().percentileMillis(95)),
                below(runs.times().percentileMillis(99)),
                String.format(Locale.ROOT, "%,.1f s", runs.millis() / 1_000.0),
                runs.byRunner().stream()
                        .map(one -> one.runner() + " " + TextTable.number(one.runs()))
                        .collect(Collectors.joining(", ")));
    }

    /// A bucket's upper bound.
    static String below(OptionalLong bound) {
        if (bound.isEmpty()) {
            return "";
        }
        return bound.getAsLong() == RunTimes.BEYOND
                ? "> 335 s"
                : "< " + TextTable.number(bound.getAsLong()) + " ms";
    }

    private int one(ClassRuns runs) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(ClassJson.whole(runs));
        } else if (runs.processed() == 0) {
            throw new CommandFailure(
                    TextTable.printable(runs.jobClass())
                            + " has not run in the last "
                            + period
                            + ": see mawashi classes");
        } else {
            TextTable table = table();
            row(table, runs);
            out.print(table);
            out.println();
            out.print(histogram(runs.times().counts()));
        }
        out.flush();
        return Main.DONE;
    }

    private static TextTable histogram(List<Long> counts) {
        long[] bounds = RunTimeBuckets.boundsMillis();
        long most = Math.max(1, counts.stream().mapToLong(Long::longValue).max().orElse(1));
        TextTable table = TextTable.ofText("took", "runs", "");
        for (int i = 0; i < counts.size(); i++) {
            long count = counts.get(i);
            if (count > 0) {
                table.row(
                        i < bounds.length
                                ? "< " + TextTable.number(bounds[i]) + " ms"
                                : "> " + TextTable.number(bounds[i - 1]) + " ms",
                        TextTable.number(count),
                        "#".repeat((int) Math.max(1, count * BAR_MAX / most)));
            }
        }
        return table;
    }
}
