package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.LockReader;
import dev.mawashi.inspect.LockView;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.LockRelease;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi locks free`.
@Command
final class LockFreeCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "KEY", description = "A lock's key, as mawashi locks has it.")
    private String key = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description = "One JSON object: key, freed, class, jid (of the job that held it), gem.")
    private boolean isJson;

    LockFreeCommand(CommandContext context) {
        this.context = context;
    }

    /// The words of a command line, with a key that begins as an option does behind `--`.
    static List<String> keyApart(List<String> words) {
        Predicate<String> isDashed = word -> word.startsWith("-") && JobLock.isDigest(word);
        if (words.size() < 3
                || !words.subList(0, 2).equals(List.of("locks", Act.FREE.word()))
                || words.contains("--")
                || words.stream().noneMatch(isDashed)) {
            return words;
        }
        List<String> apart = new ArrayList<>(words.stream().filter(isDashed.negate()).toList());
        apart.add("--");
        words.stream().filter(isDashed).forEach(apart::add);
        return apart;
    }

    @Override
    public Integer call() throws Exception {
        RedisBroker broker = context.broker(redis);
        try (LockReader reader = new LockReader(broker.connect("inspect"));
                RedisConnection editing = broker.connect("edit");
                Recorder recorder = context.recorder(broker)) {
            return WrongKey.explain(Keys.LOCKS, "hash", () -> free(reader, editing, recorder));
        }
    }

    private int free(LockReader reader, RedisConnection editing, Recorder recorder) {
        LockView lock =
                reader.one(key)
                        .orElseThrow(() ->
                                new CommandFailure(
                                        "nobody holds the lock "
                                                + TextTable.printable(key)
                                                + " (mawashi locks lists them)"));
        Report report =
                recorder.record(
                        new Audit.Intent(Act.FREE, Places.ofLock(key), "", lock.holder()),
                        (_, _) -> LockRelease.free(editing, lock));
        print(lock, report.touched() > 0);
        return Main.DONE;
    }

    private void print(LockView lock, boolean isFreed) {
        String holder = TextTable.printable(lock.holder());
        String text =
                isFreed
                        ? "lock %s is free: %s held it. While that job waits or runs, an equal one"
                                + " can be enqueued"
                        : "lock %s was not freed: %s held it no more";
        JsonFields json =
                new JsonFields()
                        .text("key", key)
                        .flag("freed", isFreed)
                        .text("class", lock.jobClass())
                        .text("jid", lock.jid())
                        .text("gem", lock.gem());
        spec.commandLine().getOut().println(isJson ? json.toString() : text.formatted(key, holder));
    }
}
