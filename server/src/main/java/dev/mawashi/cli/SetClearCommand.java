package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Empties a set, such as `mawashi dead clear`.
@Command(description = "Deletes all jobs of the set at once.")
final class SetClearCommand implements Callable<Integer> {
    private final CommandContext context;
    private final JobSet set;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private ClearOptions options = new ClearOptions();

    SetClearCommand(CommandContext context, JobSet set) {
        this.context = context;
        this.set = set;
    }

    @Override
    public Integer call() throws Exception {
        RedisBroker broker = context.broker(redis);
        try (JobReader reader = new JobReader(broker.connect("inspect"));
                Recorder recorder = context.recorder(broker);
                SetEditing editing = new SetEditing(broker.connect("edit"))) {
            return WrongKey.explain(
                    set.key(), "sorted set", () -> clear(reader, editing, recorder));
        }
    }

    private int clear(JobReader reader, SetEditing editing, Recorder recorder) {
        options.ask(reader.size(set), set.key(), context.terminal(), spec);
        Report report =
                recorder.record(
                        Change.of(Act.CLEAR).intent(Places.of(set), "all"),
                        (keeping, _) -> Report.touched(editing.clear(set, keeping)));
        return options.print(new ActResult(Act.CLEAR, Act.CLEAR.past(), set.key(), report), spec);
    }
}
