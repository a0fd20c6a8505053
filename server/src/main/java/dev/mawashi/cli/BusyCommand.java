package dev.mawashi.cli;

import dev.mawashi.inspect.ProcessReader;
import dev.mawashi.inspect.WorkView;
import dev.mawashi.wire.Json;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi busy`.
@Command(
        description = "Lists the jobs that run now, longest first, as their processes last said.",
        footer = {
            "  mawashi busy",
            "  mawashi busy --json | jq -r 'select(.class == \"Report\") | .jid'",
        })
final class BusyCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object a line: process, slot, queue, jid, class, args, since (null:"
                            + " not known).")
    private boolean isJson;

    BusyCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        try (ProcessReader reader = new ProcessReader(context.broker(redis).connect("inspect"))) {
            return WrongKey.told(
                    "processes, or a process's :work,", "set or hash", () -> list(reader.work()));
        }
    }

    private int list(List<WorkView> work) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            work.forEach(one -> out.println(JobRows.escaped(json(one))));
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
        Table table = Table.ofText("process", "queue", "jid", "class", "args", "runs for");
        for (WorkView one : work) {
            table.row(
                    one.identity(),
                    one.queue(),
                    one.job().jid(),
                    JobRows.name(one.job()),
                    JobRows.shown(one.job()),
                    one.since().map(since -> Spans.of(age(since, now))).orElse("-"));
        }
        return table.toString();
    }

    private static Duration age(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    private static String json(WorkView one) {
        return "{\"process\":%s,\"slot\":%s,\"queue\":%s,\"jid\":%s,\"class\":%s,\"args\":%s,\"since\":%s}"
                .formatted(
                        Json.quote(one.identity()),
                        Json.quote(one.slot()),
                        Json.quote(one.queue()),
                        Json.quote(one.job().jid()),
                        Json.quote(JobRows.name(one.job())),
                        one.job().problem() == null ? one.job().args() : "null",
                        one.since().map(since -> Json.quote(since.toString())).orElse("null"));
    }
}
