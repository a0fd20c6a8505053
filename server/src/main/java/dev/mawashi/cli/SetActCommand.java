package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.SetAct;
import dev.mawashi.operate.SetOperator;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Acts on jobs of a set, such as `mawashi retries delete`.
@Command
final class SetActCommand implements Callable<Integer> {
    private final CommandContext context;
    private final JobSet set;
    private final ActKind kind;
    private final DueOption due = new DueOption();
    private final ToOption to = new ToOption();
    private final DeadMaxOption deadMax = new DeadMaxOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "JID", arity = "0..*", description = "Ids of jobs.")
    private List<String> jids = new ArrayList<>();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private JobFilter filter = new JobFilter();

    @Mixin private SetFilter setFilter = new SetFilter();

    @Mixin private Consent consent = new Consent();

    SetActCommand(CommandContext context, JobSet set, ActKind kind) {
        this.context = context;
        this.set = set;
        this.kind = kind;
    }

    /// The command, with the flags that only its kind of act takes.
    CommandLine line() {
        CommandLine line = new CommandLine(this);
        switch (kind) {
            case RESCHEDULE ->
                    line.getCommandSpec().addMixin("due", CommandSpec.forAnnotatedObject(due));
            case BURY -> {
                line.getCommandSpec().addMixin("dead", CommandSpec.forAnnotatedObject(deadMax));
                sayWhatElseIsAsked(line.getCommandSpec());
            }
            case REQUEUE ->
                    line.getCommandSpec().addMixin("to", CommandSpec.forAnnotatedObject(to));
            case RETRY, RUN, DELETE -> {
                // These kinds take no further flags.
            }
        }
        return line;
    }

    private static void sayWhatElseIsAsked(CommandSpec command) {
        OptionSpec yes = command.findOption("--yes");
        String more = " Nor if old jobs leave the full dead set.";
        command.remove(yes).add(yes.toBuilder().description(yes.description()[0] + more).build());
    }

    @Override
    public Integer call() throws Exception {
        JobQuery query = filter.ofSet(setFilter, jids, context.clock().instant());
        consent.requireSelection(query.isAll());
        SetAct act = act();
        RedisBroker broker = context.broker(redis);
        try (JobReader reader = new JobReader(broker.connect("inspect"));
                Recorder recorder = context.recorder(broker);
                RedisConnection edit = broker.connect("edit")) {
            SetOperator operator =
                    new SetOperator(
                            reader, new SetEditing(edit), new UndoTable(edit), context.clock());
            return WrongKey.explain(
                    set.key(),
                    "sorted set (or, if it is one, the key that the jobs go to is not right)",
                    () -> apply(operator, reader, new Wanted(query, act, recorder)));
        }
    }

    private SetAct act() {
        return switch (kind) {
            case RETRY -> new SetAct.Run(true);
            case RUN -> new SetAct.Run(false);
            case RESCHEDULE -> new SetAct.Reschedule(due.due(context.clock().instant()));
            case BURY -> new SetAct.Bury(deadMax.limits());
            case REQUEUE -> new SetAct.Requeue(to.queue(), set != JobSet.SCHEDULE);
            case DELETE -> new SetAct.Delete();
        };
    }

    /// What is to be done to which jobs, and where it is recorded.
    private record Wanted(JobQuery query, SetAct act, Recorder recorder) {
        Audit.Intent intent(ActKind kind, JobSet set) {
            String to = act instanceof SetAct.Requeue requeue ? requeue.queue() : "";
            return new Audit.Intent(kind.word(), Places.of(set), to, Recorder.shown(query));
        }
    }

    private int apply(SetOperator operator, JobReader reader, Wanted wanted) {
        SetAct act = wanted.act();
        var err = spec.commandLine().getErr();
        long size = reader.size(set);
        if (!consent.isGiven()) {
            long count;
            try (Search search = new Search(err, context.terminal(), size)) {
                count = operator.count(set, wanted.query(), search);
            }
            ask(count, act instanceof SetAct.Bury bury ? over(reader, count, bury.limits()) : 0);
        }
        Report report;
        try (Search search = new Search(err, context.terminal(), size)) {
            report =
                    wanted.recorder()
                            .record(
                                    wanted.intent(kind, set),
                                    (keeping, progress) ->
                                            operator.apply(
                                                    set,
                                                    wanted.query(),
                                                    act,
                                                    keeping,
                                                    search.and(progress)));
        }
        return ActResult.print(
                spec, new ActResult(kind.word(), kind.past(), set.key(), report), consent);
    }

    /// How many old jobs will leave the dead set when `count` more come.
    private static long over(JobReader reader, long count, DeadLimits limits) {
        return count == 0
                ? 0
                : Math.max(0, reader.size(JobSet.DEAD) + count - (limits.maxJobs() - 1));
    }

    private void ask(long count, long trimmed) {
        if (count > Terminal.TOUCHED_UNASKED_MAX || trimmed > 0) {
            String deed = kind.word() + " " + ActResult.jobs(count) + " of " + set.key();
            String loss =
                    trimmed == 0
                            ? ""
                            : ", for which "
                                    + ActResult.jobs(trimmed)
                                    + " will leave the full dead set (see --dead-max)";
            context.terminal().confirm(deed + loss, spec.commandLine().getErr());
        }
    }
}
