package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.StackView;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Payload;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi busy stack`.
@Command
final class StackCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "JID", description = "The job's, as mawashi busy lists it.")
    private String jid = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: slot, jid, class, queue, run_ms, runner, pid,"
                            + " thread (null: in another process), waits_for (null: nothing known), locked_by"
                            + " (null: not known), ruby and java (lines, the innermost call first).")
    private boolean isJson;

    StackCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        try (RedisConnection connection = context.broker(redis).connect("inspect")) {
            List<WorkView> running =
                    WrongKey.explain(
                            "processes or a process's :work",
                            "set or hash",
                            () -> running(connection));
            if (running.isEmpty()) {
                throw new CommandFailure(
                        "no job "
                                + TextTable.printable(jid)
                                + " ran at the last beat of any process: see mawashi busy");
            }
            for (WorkView one : running) {
                show(one, new Asking(connection));
            }
        }
        return Main.DONE;
    }

    private List<WorkView> running(RedisConnection connection) {
        return new ProcessReader(connection)
                .work().stream().filter(one -> one.job().jid().equals(jid)).toList();
    }

    private void show(WorkView work, Asking asking) {
        Reply reply =
                asking.ask(
                        work.identity(),
                        Question.Kind.STACK,
                        work.entry().slot(),
                        ShowProcessCommand.PATIENCE);
        if (!(reply instanceof Reply.Answered answered)) {
            throw new CommandFailure(TextTable.printable("no answer: " + reply.problem()));
        }
        if (Payload.tryParse(answered.text().getBytes(StandardCharsets.UTF_8)) == null) {
            throw new CommandFailure("no answer: what it answers is no JSON object");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(JobRows.escaped(answered.text()));
        } else {
            print(StackView.of(answered.text()), work, out);
        }
        out.flush();
    }

    private static void print(StackView stack, WorkView work, PrintWriter out) {
        String place =
                stack.thread().isEmpty() ? "process " + stack.pid() : "thread " + stack.thread();
        out.println(
                TextTable.printable(
                        "%s %s of queue \"%s\" has run for %s: %s, %s of %s"
                                .formatted(
                                        stack.jobClass(),
                                        stack.jid(),
                                        stack.queue(),
                                        Spans.of(stack.runs()),
                                        stack.runner(),
                                        place,
                                        work.identity())));
        if (!stack.waitsFor().isEmpty()) {
            out.println("It seems to wait for " + stack.waitsFor() + ".");
        }
        print("Ruby", stack.ruby(), out);
        print("Java", stack.java(), out);
    }

    private static void print(String title, List<String> lines, PrintWriter out) {
        if (!lines.isEmpty()) {
            out.println(title);
            lines.forEach(line -> out.println("    " + TextTable.printable(line)));
        }
    }
}
