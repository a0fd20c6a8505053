package dev.mawashi.cli;

import dev.mawashi.inspect.FailureJson;
import dev.mawashi.inspect.FailureReader;
import dev.mawashi.inspect.FailureView;
import dev.mawashi.wire.ResqueKeys;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi failed`: lists Resque's failed jobs.
@Command
final class FailedCommand implements Callable<Integer> {
    private static final int ROWS_MAX = 10_000;
    private static final int ARGS_LENGTH = 40;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private FailureFilter filter = new FailureFilter();

    @Option(names = "--limit", paramLabel = "N", description = "Show this many, 1 to 10000 (25).")
    private int limit = 25;

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: list, and the record's own failed_at, payload,"
                            + " exception, error, backtrace, worker, queue, retried_at; or list"
                            + " and raw if it is no record.")
    private boolean isJson;

    FailedCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (limit < 1 || limit > ROWS_MAX) {
            throw new WrongUse("--limit " + limit + " is out of range: give 1 to " + ROWS_MAX);
        }
        ResqueKeys keys = filter.keys();
        try (FailureReader reader =
                new FailureReader(context.resqueBroker(redis).connect("inspect"), keys)) {
            return WrongKey.explain(keys.failed(), "list", () -> list(reader));
        }
    }

    private int list(FailureReader reader) {
        FailureReader.Found found =
                reader.find(filter.selection(context.clock().instant()).query(), limit);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (isJson) {
            found.first().forEach(failure -> out.println(JobRows.escaped(FailureJson.of(failure))));
        } else if (!found.first().isEmpty()) {
            out.print(table(found));
        }
        out.flush();
        if (found.total() == 0) {
            err.println("no failed jobs");
        } else if (found.total() > found.first().size()) {
            err.printf(
                    "%s of %s failed jobs, see more with --limit%n",
                    TextTable.number(found.first().size()), TextTable.number(found.total()));
        }
        return Main.DONE;
    }

    private static String table(FailureReader.Found found) {
        TextTable table = TextTable.ofText("failed", "queue", "class", "args", "error", "requeued");
        for (FailureView failure : found.first()) {
            table.row(
                    failure.text("failed_at"),
                    failure.text("queue"),
                    failure.jobClass(),
                    JobRows.shortened(failure.args(), ARGS_LENGTH),
                    JobRows.error(failure.error()),
                    failure.text("retried_at"));
        }
        return table.toString();
    }
}
