package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.cron.CronReader;
import dev.mawashi.cron.CronRefusal;
import dev.mawashi.cron.ShownSchedule;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.wire.JsonFields;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi cron pause`, `resume` and `run`.
@Command
final class CronActCommand implements Callable<Integer> {
    private final CommandContext context;
    private final Act act;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "A schedule's name.")
    private String name = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Option(names = "--json", description = "One JSON object: name, act, changed, jid (of a run).")
    private boolean isJson;

    CronActCommand(CommandContext context, Act act) {
        this.context = context;
        this.act = act;
    }

    static String description(Act act) {
        return switch (act) {
            case PAUSE -> "Pauses a schedule: its ticks enqueue nothing, and are not made up for.";
            case RESUME -> "Ends a schedule's pause: from its next tick on it enqueues again.";
            case RUN -> "Enqueues a schedule's job now, also while it is paused.";
            default -> act.description();
        };
    }

    @Override
    public Integer call() {
        RedisBroker broker = context.broker(redis);
        try (CronReader reader = new CronReader(broker.connect("cron"));
                Recorder recorder = context.recorder(broker)) {
            ShownSchedule schedule = CronShowCommand.find(reader, name).schedule();
            String jid =
                    act == Act.RUN ? reader.run(schedule, context.user(), new SecureRandom()) : "";
            boolean isChanged = act == Act.RUN || reader.pause(schedule, act == Act.PAUSE);
            recorder.note(
                    new Audit.Intent(act, Places.ofSchedule(schedule.name())),
                    act == Act.RUN ? Report.touched(1) : Report.NOTHING,
                    isChanged ? jid : "was so already");
            print(isChanged, jid);
        } catch (CronRefusal refusal) {
            throw new CommandFailure(String.valueOf(refusal.getMessage()));
        }
        return Main.DONE;
    }

    private void print(boolean isChanged, String jid) {
        String text =
                act == Act.RUN && !jid.isEmpty()
                        ? jid
                        : TextTable.printable(name)
                                + (isChanged ? " is " : " was already ")
                                + act.past();
        JsonFields json =
                new JsonFields()
                        .text("name", name)
                        .text("act", act.word())
                        .flag("changed", isChanged)
                        .known("jid", jid);
        spec.commandLine().getOut().println(isJson ? json.toString() : text);
    }
}
