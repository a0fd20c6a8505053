package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ResqueWorkReader;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.wire.ResqueKeys;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi busy`.
@Command(
        description =
                "Lists the running jobs as of their processes' last beats, the longest" + " first.",
        footer = {
            "  mawashi busy",
            "  mawashi busy --json | jq -r 'select(.class == \"Report\") | .jid'",
        })
final class BusyCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: process, slot, queue, jid, run, class, args, since"
                            + " (null: unknown), runner, thread, pid (of its child; null: none).")
    private boolean isJson;

    BusyCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        ResqueKeys keys = namespace.keys();
        RedisBroker broker = context.broker(redis);
        try (ProcessReader processes = new ProcessReader(broker.connect("inspect"));
                ResqueWorkReader workers = new ResqueWorkReader(broker.connect("inspect"), keys)) {
            return WrongKey.explain(
                    "processes, a process's :work or " + keys.workers(),
                    "set or hash",
                    () -> list(processes.work(), workers.work()));
        }
    }

    private int list(List<WorkView> sidekiq, List<WorkView> resque) {
        return list(
                Stream.concat(sidekiq.stream(), resque.stream())
                        .sorted(WorkView.LONGEST_FIRST)
                        .toList());
    }

    private int list(List<WorkView> work) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            work.forEach(one -> out.println(JobRows.escaped(one.json())));
        } else if (work.isEmpty()) {
            spec.commandLine().getErr().println("nothing runs");
        } else {
            out.print(table(work));
        }
        out.flush();
        return Main.DONE;
    }

    private String table(List<WorkView> work) {
        Instant now = context.clock().instant();
        TextTable table =
                TextTable.ofText("process", "queue", "jid", "class", "args", "runs for", "where");
        for (WorkView one : work) {
            table.row(
                    one.identity(),
                    one.entry().queue(),
                    one.job().jid().isEmpty() ? one.entry().runId() : one.job().jid(),
                    JobRows.name(one.job()),
                    JobRows.shown(one.job()),
                    one.entry().since().map(since -> Spans.of(age(since, now))).orElse("-"),
                    one.entry().place().words());
        }
        return table.toString();
    }

    static Duration age(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
