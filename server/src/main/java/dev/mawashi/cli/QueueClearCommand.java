package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.operate.Report;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.wire.Keys;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi queues clear`.
@Command(
        description =
                "Deletes all jobs that wait in a queue, at once, and the queue's name. Jobs in"
                        + " flight run on.",
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
                QueueEditing editing = new QueueEditing(broker.connect("edit"))) {
            return WrongKey.explain(Keys.queue(queue), "list", () -> clear(reader, editing));
        }
    }

    private int clear(JobReader reader, QueueEditing editing) {
        String place = "queue " + queue;
        options.ask(reader.size(queue), place, context.terminal(), spec);
        Report report = new Report(editing.clear(queue), 0, 0, 0);
        return options.print(new ActResult("clear", "deleted", place, report), spec);
    }
}
