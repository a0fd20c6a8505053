package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.FailureReader;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.FailureOperator;
import dev.mawashi.operate.Report;
import dev.mawashi.tables.FailureEditing;
import dev.mawashi.wire.ResqueKeys;
import java.time.ZoneId;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Acts on Resque's failed jobs: `mawashi failed requeue` and `remove`.
@Command
final class FailedActCommand implements Callable<Integer> {
    private final CommandContext context;
    private final Kind kind;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private FailureFilter filter = new FailureFilter();

    @Mixin private Consent consent = new Consent();

    /// What this command can do to failed jobs.
    enum Kind {
        REQUEUE("requeued", "Enqueues jobs anew, less those requeued before; records stay."),
        REMOVE("removed", "Removes the records of jobs.");

        private final String past;
        private final String description;

        Kind(String past, String description) {
            this.past = past;
            this.description = description;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        String description() {
            return description;
        }
    }

    FailedActCommand(CommandContext context, Kind kind) {
        this.context = context;
        this.kind = kind;
    }

    @Override
    public Integer call() throws Exception {
        consent.requireSelection(filter.query().isAll());
        RedisBroker broker = context.broker(redis);
        ResqueKeys keys = filter.keys();
        try (FailureReader reader = new FailureReader(broker.connect("inspect"), keys);
                Recorder recorder = context.recorder(broker);
                FailureEditing editing = new FailureEditing(broker.connect("edit"), keys)) {
            return WrongKey.explain(
                    keys.failed(),
                    "list (or, if it is one, the queue that jobs go to is none)",
                    () -> apply(reader, editing, keys, recorder));
        }
    }

    private int apply(
            FailureReader reader, FailureEditing editing, ResqueKeys keys, Recorder recorder) {
        long count = reader.find(filter.query(), 0).total();
        if (!consent.isGiven() && count > Terminal.TOUCHED_UNASKED_MAX) {
            String deed = kind.word() + " " + ActResult.jobs(count) + " of " + keys.failed();
            context.terminal().confirm(deed, spec.commandLine().getErr());
        }
        FailureOperator operator =
                new FailureOperator(reader, editing, context.clock(), ZoneId.systemDefault());
        Report report =
                recorder.record(
                        new Audit.Intent(kind.word(), keys.failed()),
                        (_, progress) ->
                                switch (kind) {
                                    case REQUEUE -> operator.requeue(filter.query(), progress);
                                    case REMOVE -> operator.remove(filter.query(), progress);
                                });
        return ActResult.print(
                spec, new ActResult(kind.word(), kind.past, keys.failed(), report), consent);
    }
}
