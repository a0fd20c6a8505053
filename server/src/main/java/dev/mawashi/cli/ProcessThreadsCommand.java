package dev.mawashi.cli;

import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `mawashi processes threads`.
@Command
final class ProcessThreadsCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private OneProcess one = new OneProcess();

    ProcessThreadsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        Reply reply =
                one.find(
                        context,
                        (process, _, asking) ->
                                asking.ask(
                                        process.identity(),
                                        Question.Kind.THREADS,
                                        "",
                                        ShowProcessCommand.PATIENCE));
        if (!(reply instanceof Reply.Answered answered)) {
            throw new CommandFailure(TextTable.printable("no answer: " + reply.problem()));
        }
        PrintWriter out = spec.commandLine().getOut();
        answered.text().lines().map(TextTable::printable).forEach(out::println);
        out.flush();
        return Main.DONE;
    }
}
