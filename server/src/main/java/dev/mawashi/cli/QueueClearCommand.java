package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.config.Nearest;
import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.wire.Keys;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi queues clear`.
@Command(
        description =
                "Deletes all waiting jobs and the queue's name at once. Jobs in flight go on.",
        footer = {"  mawashi queues clear low", "  mawashi queues clear low --yes"})
final class QueueClearCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "QUEUE", description = "Name of the queue.")
    private String queue = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private ClearOptions options = new ClearOptions();

    QueueClearCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        RedisBroker broker = context.broker(redis);
        try (JobReader reader = new JobReader(broker.connect("inspect"));
                QueueEditing editing = new QueueEditing(broker.connect("edit"));
                Recorder recorder = context.recorder(broker);
                Inspector inspector = new Inspector(broker.connect("inspect"), context.clock())) {
            return WrongKey.explain(
                    Keys.queue(queue), "list", () -> clear(reader, editing, inspector, recorder));
        }
    }

    private int clear(
            JobReader reader, QueueEditing editing, Inspector inspector, Recorder recorder) {
        String place = "queue " + queue;
        options.ask(reader.size(queue), place, context.terminal(), spec);
        Report report =
                recorder.record(
                        Change.of(Act.CLEAR).intent(Places.ofQueue(queue), "all"),
                        (keeping, _) ->
                                Report.touched(
                                        editing.clear(queue, keeping)
                                                .orElseGet(() -> nothing(inspector))));
        return options.print(new ActResult(Act.CLEAR, Act.CLEAR.past(), place, report), spec);
    }

    /// A server may serve a queue to which nobody has pushed yet.
    ///
    /// @return 0
    /// @throws CommandFailure when nobody knows the queue
    private long nothing(Inspector inspector) {
        List<String> known =
                inspector.stats().queues().stream().map(Stats.QueueStats::name).toList();
        if (known.contains(queue)) {
            return 0;
        }
        String hint =
                Nearest.to(queue, known)
                        .map(near -> ": did you mean " + near + "?")
                        .orElse(" (mawashi queues lists them)");
        throw new CommandFailure("there is no queue " + TextTable.printable(queue) + hint);
    }
}
