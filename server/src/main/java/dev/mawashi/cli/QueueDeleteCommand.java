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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi queues delete`.
@Command(
        description = "Deletes jobs that wait in a queue.",
        footer = {
            "  mawashi queues delete default 0f3a1c2b9d8e7f6a5b4c3d2e",
            "  mawashi queues delete default --class Report --yes",
        })
final class QueueDeleteCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.")
    private String queue = "";

    @Parameters(index = "1..*", paramLabel = "JID", description = "Ids of jobs.")
    private List<String> jids = new ArrayList<>();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private JobFilter filter = new JobFilter();

    @Mixin private Consent consent = new Consent();

    QueueDeleteCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        JobQuery query = filter.ofQueue(jids, context.clock().instant());
        consent.requireSelection(query.isAll());
        RedisBroker broker = context.broker(redis);
        try (JobReader reader = new JobReader(broker.connect("inspect"));
                Recorder recorder = context.recorder(broker);
                RedisConnection edit = broker.connect("edit")) {
            QueueOperator operator =
                    new QueueOperator(reader, new QueueEditing(edit), new UndoTable(edit));
            return WrongKey.explain(
                    Keys.queue(queue), "list", () -> delete(operator, reader, recorder, query));
        }
    }

    private int delete(
            QueueOperator operator, JobReader reader, Recorder recorder, JobQuery query) {
        var err = spec.commandLine().getErr();
        long size = reader.size(queue);
        String place = "queue " + queue;
        if (!consent.isGiven()) {
            long count;
            try (Search search = new Search(err, context.terminal(), size)) {
                count = operator.count(queue, query, search);
            }
            if (count > Terminal.TOUCHED_UNASKED_MAX) {
                String deed = "delete " + ActResult.jobs(count) + " of " + Table.printable(place);
                context.terminal().confirm(deed, err);
            }
        }
        Report report;
        try (Search search = new Search(err, context.terminal(), size)) {
            report =
                    recorder.record(
                            new Audit.Intent(
                                    "delete", Places.ofQueue(queue), "", Recorder.shown(query)),
                            (keeping, progress) ->
                                    operator.delete(queue, query, keeping, search.and(progress)));
        }
        return ActResult.print(spec, new ActResult("delete", "deleted", place, report), consent);
    }
}
