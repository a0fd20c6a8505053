package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi processes threads`.
@Command
final class ProcessThreadsCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "ID",
            description = "Identity as listed, or a beginning that only one has.")
    private String id = "";

    @Mixin private RedisOption redis = new RedisOption();

    ProcessThreadsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        try (RedisConnection connection = context.broker(redis).connect("inspect")) {
            Reply reply =
                    WrongKey.explain(
                            Keys.PROCESSES, "set of processes' hashes", () -> ask(connection));
            if (!(reply instanceof Reply.Answered answered)) {
                throw new CommandFailure(TextTable.printable("no answer: " + reply.problem()));
            }
            PrintWriter out = spec.commandLine().getOut();
            answered.text().lines().map(TextTable::printable).forEach(out::println);
            out.flush();
        }
        return Main.DONE;
    }

    private Reply ask(RedisConnection connection) {
        String identity = Identities.only(id, new ProcessReader(connection).processes()).identity();
        return new Asking(connection)
                .ask(identity, Question.Kind.THREADS, "", ShowProcessCommand.PATIENCE);
    }
}
