package dev.mawashi.cli;

import dev.mawashi.fleet.AlarmView;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.wire.Keys;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi processes`.
@Command(
        description = "Lists the live processes of Sidekiq and Mawashi, and signals them.",
        footer = {
            "  mawashi processes",
            "  mawashi processes quiet web-1:4711:0f3a1c2b9d8e",
            "  mawashi processes stop --all --yes",
        })
final class ProcessesCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description = "One JSON object per line: " + ProcessRecord.WORDS + ".")
    private boolean isJson;

    ProcessesCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        try (ProcessReader reader = new ProcessReader(context.broker(redis).connect("inspect"))) {
            return WrongKey.explain(
                    Keys.PROCESSES, "set of processes' hashes", () -> list(reader.processes()));
        }
    }

    private int list(List<ProcessRecord> processes) {
        PrintWriter out = spec.commandLine().getOut();
        Instant now = context.clock().instant();
        if (isJson) {
            processes.forEach(process -> out.println(process.json(now)));
        } else if (processes.isEmpty()) {
            spec.commandLine().getErr().println("no processes");
        } else {
            out.print(table(processes, now));
            printAlarms(processes, out);
        }
        out.flush();
        return Main.DONE;
    }

    private static String table(List<ProcessRecord> processes, Instant now) {
        TextTable table = TextTable.ofText("process", "tag", "queues", "busy", "rss", "beat", "up");
        table.header("version", "state");
        for (ProcessRecord process : processes) {
            table.row(
                    process.identity(),
                    process.info().tag(),
                    String.join(",", process.info().queues()),
                    process.busy() + " of " + process.concurrency(),
                    process.rssKib() / 1_024 + " MiB",
                    Spans.of(process.sinceBeat(now)),
                    Spans.of(process.sinceStart(now)),
                    process.info().version(),
                    state(process));
        }
        return table.toString();
    }

    /// The alarms that stand, a line each.
    private static void printAlarms(List<ProcessRecord> processes, PrintWriter out) {
        for (ProcessRecord process : processes) {
            for (AlarmView alarm : process.own().alarms()) {
                out.println(
                        TextTable.printable(
                                "%s: alarm %s".formatted(process.identity(), text(alarm))));
            }
        }
    }

    /// The name of an alarm, and its sentence.
    static String text(AlarmView alarm) {
        return alarm.name() + ": " + alarm.text();
    }

    static String state(ProcessRecord process) {
        if (!process.trouble().isEmpty()) {
            return "cannot run jobs: " + process.trouble();
        }
        return process.isQuiet() ? "quiet" : "";
    }
}
