package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Signalling;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Report;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi processes quiet`, `stop` and `dump`.
@Command
final class SignalCommand implements Callable<Integer> {
    private final CommandContext context;
    private final Kind kind;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Identities as listed, or a beginning that only one of them has.")
    private List<String> ids = new ArrayList<>();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(names = "--all", description = "All processes.")
    private boolean isAll;

    @Option(
            names = "--yes",
            description = "Do not ask, even if more than one process is signalled.")
    private boolean isYes;

    @Option(names = "--json", description = "One JSON object per line: identity, signal.")
    private boolean isJson;

    /// The signals that a process takes.
    enum Kind {
        QUIET(Act.QUIET, "TSTP"),
        STOP(Act.STOP, "TERM"),
        DUMP(Act.DUMP, "TTIN");

        private final Act act;
        private final String signal;

        Kind(Act act, String signal) {
            this.act = act;
            this.signal = signal;
        }

        Act act() {
            return act;
        }
    }

    SignalCommand(CommandContext context, Kind kind) {
        this.context = context;
        this.kind = kind;
    }

    @Override
    public Integer call() throws Exception {
        if (ids.isEmpty() != isAll) {
            throw new WrongUse("which processes? Give their identities, or --all");
        }
        RedisBroker broker = context.broker(redis);
        try (ProcessReader reader = new ProcessReader(broker.connect("inspect"));
                Recorder recorder = context.recorder(broker);
                Signalling signalling = new Signalling(broker.connect("signal"))) {
            return WrongKey.explain(
                    Keys.PROCESSES,
                    "set of processes' hashes",
                    () -> signal(chosen(reader.processes()), signalling, recorder));
        }
    }

    private List<ProcessRecord> chosen(List<ProcessRecord> live) {
        if (isAll) {
            // An embedded process is part of another program, so it is not signalled.
            return live.stream().filter(process -> !process.info().isEmbedded()).toList();
        }
        List<ProcessRecord> chosen = new ArrayList<>();
        for (String id : ids) {
            ProcessRecord one = Identities.only(id, live);
            if (one.info().isEmbedded()) {
                throw new CommandFailure(
                        "process "
                                + TextTable.printable(one.identity())
                                + " is embedded in another program: signal that one");
            }
            chosen.add(one);
        }
        return chosen;
    }

    private int signal(List<ProcessRecord> chosen, Signalling signalling, Recorder recorder) {
        if (chosen.size() > 1 && !isYes) {
            String deed = kind.act.word() + " " + chosen.size() + " processes";
            context.terminal().confirm(deed, spec.commandLine().getErr());
        }
        for (ProcessRecord process : chosen) {
            signalling.send(process.identity(), kind.signal);
            recorder.note(new Audit.Intent(kind.act, process.identity()), Report.NOTHING, "");
            spec.commandLine().getOut().println(shown(process));
        }
        if (chosen.isEmpty()) {
            spec.commandLine().getErr().println("no processes");
        }
        return Main.DONE;
    }

    private String shown(ProcessRecord process) {
        return isJson
                ? new JsonFields()
                        .text("identity", process.identity())
                        .text("signal", kind.signal)
                        .toString()
                : TextTable.printable(process.identity())
                        + " will "
                        + kind.act.word()
                        + " at its next beat";
    }
}
