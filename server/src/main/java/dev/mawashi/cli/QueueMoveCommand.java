package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.QueueOperator;
import dev.mawashi.operate.Report;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.Keys;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi queues move`.
@Command(
        description = {
            "Moves jobs that wait in a queue to another one, whose last they become, in their"
                    + " order.",
            "What runs meanwhile shifts the rest, so that a few may be passed over: call it again,"
                    + " or pause the queue before.",
        },
        footer = {
            "  mawashi queues move default low --class Report",
            "  mawashi queues move default low --all --yes",
        })
final class QueueMoveCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FROM", description = "Name of the queue.")
    private String queue = "";

    @Parameters(index = "1", paramLabel = "TO", description = "Name of the other queue.")
    private String other = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private JobFilter filter = new JobFilter();

    @Mixin private Consent consent = new Consent();

    QueueMoveCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        JobQuery query = filter.ofQueue(List.of(), context.clock().instant());
        consent.requireSelection(query.isAll());
        if (queue.equals(other) || other.isBlank()) {
            throw new WrongUse("to which other queue? FROM and TO are the same, or TO is empty");
        }
        RedisBroker broker = context.broker(redis);
        try (JobReader reader = new JobReader(broker.connect("inspect"));
                Recorder recorder = context.recorder(broker);
                RedisConnection edit = broker.connect("edit")) {
            QueueOperator operator =
                    new QueueOperator(reader, new QueueEditing(edit), new UndoTable(edit));
            return WrongKey.explain(
                    Keys.queue(queue) + " or " + Keys.queue(other),
                    "list",
                    () -> move(operator, reader, recorder, query));
        }
    }

    private int move(QueueOperator operator, JobReader reader, Recorder recorder, JobQuery query) {
        var err = spec.commandLine().getErr();
        long size = reader.size(queue);
        String place = "queue " + queue;
        if (!consent.isGiven()) {
            long count;
            try (Search search = new Search(err, context.terminal(), size)) {
                count = operator.count(queue, query, search);
            }
            if (count > Terminal.TOUCHED_UNASKED_MAX) {
                String deed =
                        "move "
                                + ActResult.jobs(count)
                                + " of "
                                + Table.printable(place + " to " + other);
                context.terminal().confirm(deed, err);
            }
        }
        Report report;
        try (Search search = new Search(err, context.terminal(), size)) {
            report =
                    recorder.record(
                            new Audit.Intent(
                                    "move", Places.ofQueue(queue), other, Recorder.shown(query)),
                            (keeping, progress) ->
                                    operator.move(
                                            queue, other, query, keeping, search.and(progress)));
        }
        return ActResult.print(
                spec, new ActResult("move", "moved to " + other, place, report), consent);
    }
}
