package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// The flags of commands that look at one process, and the way to it.
final class OneProcess {
    @Parameters(
            paramLabel = "ID",
            description = "Identity as listed, or a beginning that only one has.")
    private String id = "";

    @Mixin private RedisOption redis = new RedisOption();

    /// The work of a command.
    interface Work<T> {
        T with(ProcessRecord process, RedisConnection connection, Asking asking);
    }

    /// Finds the process, and has the command do its work.
    ///
    /// @throws CommandFailure when there is none, or more than one
    <T> T find(CommandContext context, Work<T> work) throws Exception {
        try (RedisConnection connection = broker(context).connect("inspect")) {
            return WrongKey.explain(
                    Keys.PROCESSES,
                    "set of processes' hashes",
                    () ->
                            work.with(
                                    Identities.only(id, new ProcessReader(connection).processes()),
                                    connection,
                                    new Asking(connection)));
        }
    }

    RedisBroker broker(CommandContext context) {
        return context.broker(redis);
    }
}
