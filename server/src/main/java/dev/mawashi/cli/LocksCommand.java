package dev.mawashi.cli;

import dev.mawashi.inspect.JobSearch;
import dev.mawashi.inspect.LockReader;
import dev.mawashi.wire.Keys;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi locks`.
@Command(
        description =
                "Lists the locks of unique jobs, those of sidekiq-unique-jobs too, and frees them.",
        footer = {
            "  mawashi locks",
            "  mawashi locks --class SyncJob --json",
            "  mawashi locks free Zk3-0aXw_1bQ7d"
        })
final class LocksCommand implements Callable<Integer> {
    private static final int ROWS_MAX = 10_000;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(names = "--class", paramLabel = "NAME", description = "Locks of jobs of this class.")
    private String jobClass = "";

    @Option(names = "--limit", paramLabel = "N", description = "Show this many, 1 to 10000 (25).")
    private int limit = 25;

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: key, class, jid (of the job that holds it), until,"
                            + " seconds_left, gem.")
    private boolean isJson;

    LocksCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (limit < 1 || limit > ROWS_MAX) {
            throw new WrongUse("--limit " + limit + " is out of range: give 1 to " + ROWS_MAX);
        }
        try (LockReader reader = new LockReader(context.broker(redis).connect("inspect"))) {
            JobSearch.Limit all = new JobSearch.Limit(limit, () -> false);
            return WrongKey.explain(
                    Keys.LOCKS, "hash", () -> print(reader.part(jobClass, "", all)));
        }
    }

    private int print(LockReader.Part part) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (isJson) {
            part.found().forEach(lock -> out.println(lock.json()));
        } else if (!part.found().isEmpty()) {
            TextTable table = TextTable.ofText("key", "class", "jid", "left", "gem");
            part.found()
                    .forEach(lock ->
                            table.row(
                                    lock.key(),
                                    lock.jobClass(),
                                    lock.jid(),
                                    lock.until().isEmpty()
                                            ? ""
                                            : Spans.of(Duration.ofSeconds(lock.secondsLeft())),
                                    lock.gem()));
            out.print(table);
        }
        out.flush();
        if (part.found().isEmpty()) {
            err.println("no locks");
        } else if (!part.next().isEmpty()) {
            err.printf(
                    "%s of at most %s locks, see more with --limit%n",
                    TextTable.number(part.found().size()), TextTable.number(part.total()));
        }
        return Main.DONE;
    }
}
