package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.Selection;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JobSet;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/// Does an act to jobs, such as `mawashi retries delete`.
@Command
final class ActCommand implements Callable<Integer> {
    private final CommandContext context;
    private final Act act;
    private final JobChoice choice;
    private final DueOption due = new DueOption();
    private final ToOption to = new ToOption();
    private final DeadMaxOption deadMax = new DeadMaxOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private Consent consent = new Consent();

    ActCommand(CommandContext context, Act act, JobChoice choice) {
        this.context = context;
        this.act = act;
        this.choice = choice;
    }

    /// The command, with the flags that only its act takes.
    CommandLine line() {
        CommandLine line = new CommandLine(this);
        CommandSpec command = line.getCommandSpec();
        command.addMixin("choice", CommandSpec.forAnnotatedObject(choice));
        if (act == Act.RESCHEDULE) {
            command.addMixin("due", CommandSpec.forAnnotatedObject(due));
        } else if (act == Act.REQUEUE && choice instanceof SetChoice) {
            command.addMixin("to", CommandSpec.forAnnotatedObject(to));
        } else if (act == Act.BURY) {
            command.addMixin("dead", CommandSpec.forAnnotatedObject(deadMax));
            sayWhatElseIsAsked(command);
        }
        return line;
    }

    private static void sayWhatElseIsAsked(CommandSpec command) {
        OptionSpec yes = command.findOption("--yes");
        String more = " Also not if old jobs leave the full dead set.";
        command.remove(yes).add(yes.toBuilder().description(yes.description()[0] + more).build());
    }

    @Override
    public Integer call() throws Exception {
        Selection selection = choice.selection(context.clock().instant());
        consent.requireSelection(selection.query().isAll(), choice.flags());
        Change change = choice.change(change());
        RedisBroker broker = choice.broker(context, redis);
        try (RedisConnection connection = broker.connect("edit");
                Recorder recorder = context.recorder(broker)) {
            Operator operator = choice.operator(connection, context.clock());
            return choice.key()
                    .explain(() -> {
                        ask(operator, connection, change, selection);
                        return perform(operator, recorder, change, selection);
                    });
        }
    }

    private Change change() {
        return switch (act) {
            case RESCHEDULE -> Change.reschedule(due.due(context.clock().instant()));
            case BURY -> Change.bury(deadMax.limits());
            case REQUEUE ->
                    choice instanceof SetChoice ? Change.to(act, to.queue()) : Change.of(act);
            default -> Change.of(act);
        };
    }

    private void ask(
            Operator operator, RedisConnection connection, Change change, Selection selection) {
        if (consent.isGiven()) {
            return;
        }
        PrintWriter err = spec.commandLine().getErr();
        long count;
        try (Search search = new Search(err, context.terminal(), operator.size())) {
            count = operator.count(selection.query(), search);
        }
        long trimmed = act == Act.BURY ? trimmed(connection, count, change) : 0;
        if (count > Terminal.TOUCHED_UNASKED_MAX || trimmed > 0) {
            String deed =
                    act.word()
                            + " "
                            + ActResult.jobs(count)
                            + " of "
                            + TextTable.printable(choice.shownPlace() + to(change));
            String loss =
                    trimmed == 0
                            ? ""
                            : ", for which "
                                    + ActResult.jobs(trimmed)
                                    + " will leave the full dead set (see --dead-max)";
            context.terminal().confirm(deed + loss, err);
        }
    }

    /// How many old jobs will leave the dead set when `count` more come.
    private static long trimmed(RedisConnection connection, long count, Change bury) {
        long dead = new JobReader(connection).size(JobSet.DEAD);
        return count == 0 ? 0 : Math.max(0, dead + count - (bury.dead().maxJobs() - 1));
    }

    private int perform(Operator operator, Recorder recorder, Change change, Selection selection) {
        PrintWriter err = spec.commandLine().getErr();
        Report report;
        try (Search search = new Search(err, context.terminal(), operator.size())) {
            report =
                    recorder.record(
                            change.intent(choice.place(), selection.words()),
                            (keeping, progress) ->
                                    operator.perform(
                                            change,
                                            selection.query(),
                                            keeping,
                                            search.and(progress)));
        }
        ActResult result = new ActResult(act, act.past() + to(change), choice.shownPlace(), report);
        return ActResult.print(spec, result, consent);
    }

    private static String to(Change change) {
        return change.to().isEmpty() ? "" : " to " + change.to();
    }
}
