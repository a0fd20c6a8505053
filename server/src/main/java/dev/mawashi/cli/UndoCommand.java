package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.Undoer;
import dev.mawashi.tables.UndoTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi undo`.
@Command(
        description = {
            "Undoes a change within ten minutes: puts back at most 1,000 jobs and at most 8 MiB"
                    + " of them, that were deleted, cleared, buried, moved, rescheduled or enqueued.",
            "Jobs that have begun go on.",
        },
        footer = {"  mawashi undo 0f3a1c2b9d8e7f6a"})
final class UndoCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "ID", description = "Id of the change, as mawashi audit lists it.")
    private String id = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description = "One JSON object: act, of, touched, gone, malformed, trimmed.")
    private boolean isJson;

    UndoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        RedisBroker broker = context.broker(redis);
        try (Recorder recorder = context.recorder(broker)) {
            AuditEntry entry =
                    recorder.audit()
                            .find(id)
                            .orElseThrow(() ->
                                    new CommandFailure(
                                            "no change of late has the id "
                                                    + TextTable.printable(id)
                                                    + ": see mawashi audit"));
            return WrongKey.explain(
                    entry.place(), "key of the right type", () -> undo(recorder, entry));
        }
    }

    private int undo(Recorder recorder, AuditEntry entry) {
        Undoer undoer = new Undoer(new UndoTable(recorder.connection()));
        if (!undoer.canUndo(entry)) {
            throw new CommandFailure(
                    "nothing of it can be undone: it is too long ago, was undone, or is of a kind"
                            + " that cannot");
        }
        Report report =
                recorder.record(
                        new Audit.Intent(
                                Act.UNDO, entry.place(), "", entry.act() + " " + entry.id()),
                        (_, _) -> undoer.undo(entry));
        ActResult result = new ActResult(Act.UNDO, Act.UNDO.past(), entry.place(), report);
        spec.commandLine().getOut().println(isJson ? result.json() : result.text());
        return report.touched() > 0 ? Main.DONE : Main.FAILED;
    }
}
