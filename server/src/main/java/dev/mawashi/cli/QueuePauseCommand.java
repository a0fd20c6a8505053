package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.config.Nearest;
import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Keys;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi queues pause` and `unpause`.
@Command
final class QueuePauseCommand implements Callable<Integer> {
    private final CommandContext context;
    private final boolean isPause;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "QUEUE", arity = "1..*", description = "Names of queues.")
    private List<String> queues = List.of();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(names = "--json", description = "One JSON object per line: name, paused, changed.")
    private boolean isJson;

    QueuePauseCommand(CommandContext context, boolean isPause) {
        this.context = context;
        this.isPause = isPause;
    }

    @Override
    public Integer call() throws Exception {
        RedisBroker broker = context.broker(redis);
        try (QueueEditing editing = new QueueEditing(broker.connect("edit"));
                Recorder recorder = context.recorder(broker);
                Inspector inspector = new Inspector(broker.connect("inspect"), context.clock())) {
            return WrongKey.explain(Keys.PAUSED, "set", () -> change(editing, inspector, recorder));
        }
    }

    private int change(QueueEditing editing, Inspector inspector, Recorder recorder) {
        List<String> known =
                inspector.stats().queues().stream().map(Stats.QueueStats::name).toList();
        for (String queue : queues) {
            boolean isChanged = isPause ? editing.pause(queue) : editing.unpause(queue);
            recorder.note(
                    new Audit.Intent(isPause ? Act.PAUSE : Act.UNPAUSE, Places.ofQueue(queue)),
                    Report.NOTHING,
                    isChanged ? "" : "was so already");
            spec.commandLine()
                    .getOut()
                    .println(isJson ? json(queue, isChanged) : text(queue, isChanged));
            if (isPause && !known.contains(queue)) {
                warn(queue, known);
            }
        }
        return Main.DONE;
    }

    private String json(String queue, boolean isChanged) {
        return new JsonFields()
                .text("name", queue)
                .flag("paused", isPause)
                .flag("changed", isChanged)
                .toString();
    }

    private String text(String queue, boolean isChanged) {
        String state = isPause ? "paused" : "served again";
        return TextTable.printable(queue) + (isChanged ? " is " : " was already ") + state;
    }

    /// Warns of a queue that does not exist. Pausing one is allowed, since its first job may still
    /// come.
    private void warn(String queue, List<String> known) {
        String hint =
                Nearest.to(queue, known).map(near -> ", did you mean " + near + "?").orElse("");
        spec.commandLine()
                .getErr()
                .println("note: no queue " + TextTable.printable(queue) + " is known yet" + hint);
    }
}
