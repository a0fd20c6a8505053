package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The flags of commands that change one process or all, and the way to them.
final class ChosenProcesses {
    @Parameters(
            paramLabel = "ID",
            arity = "0..1",
            description =
                    "Identity as listed by mawashi processes, or a beginning that only one has. Not"
                            + " needed where there is one process.")
    private @Nullable String id;

    @Mixin private RedisOption redis = new RedisOption();

    @Option(names = "--all", description = "All processes.")
    private boolean isAll;

    /// The work of a command, with a record of what it changes.
    interface Work {
        int with(RedisConnection connection, Recorder recorder) throws Exception;
    }

    boolean isAll() {
        return isAll;
    }

    /// Has the command do its work.
    ///
    /// @return its exit code
    int change(CommandContext context, Work work) throws Exception {
        if (isAll && id != null) {
            throw new WrongUse("--all reaches each process: leave out the identity, or --all");
        }
        RedisBroker broker = context.broker(redis);
        try (RedisConnection connection = broker.connect("inspect");
                Recorder recorder = context.recorder(broker)) {
            return WrongKey.explain(
                    Keys.PROCESSES,
                    "set of processes' hashes",
                    () -> work.with(connection, recorder));
        }
    }

    /// The identity of the one that is meant where not all are.
    String one(ProcessReader reader) {
        return Identities.chosen(id, reader.processes()).identity();
    }
}
