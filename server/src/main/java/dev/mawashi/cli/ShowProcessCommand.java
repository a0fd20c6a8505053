package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ChildView;
import dev.mawashi.fleet.JvmView;
import dev.mawashi.fleet.LeaseReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JsonFields;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi processes show`.
@Command
final class ShowProcessCommand implements Callable<Integer> {
    /// For one answer.
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private OneProcess one = new OneProcess();

    @Option(
            names = "--json",
            description =
                    "One JSON object: process (as mawashi processes prints it), lease (seconds;"
                            + " null: none), jvm, children and generations (from the process; null: it"
                            + " did not answer), problem (the reason; null: none).")
    private boolean isJson;

    ShowProcessCommand(CommandContext context) {
        this.context = context;
    }

    /// All that is known.
    private record Known(
            ProcessRecord process,
            Optional<Duration> lease,
            Reply jvm,
            Reply children,
            Reply generations) {
        String problem() {
            return jvm.problem();
        }
    }

    @Override
    public Integer call() throws Exception {
        Known known = one.find(context, ShowProcessCommand::read);
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(JobRows.escaped(json(known)));
        } else {
            print(known, out);
        }
        out.flush();
        return Main.DONE;
    }

    private static Known read(ProcessRecord process, RedisConnection connection, Asking asking) {
        Optional<Duration> lease =
                Optional.ofNullable(
                        new LeaseReader(connection).of(List.of(process)).get(process.identity()));
        Reply jvm = asking.ask(process.identity(), Question.Kind.JVM, "", PATIENCE);
        if (!(jvm instanceof Reply.Answered)) {
            return new Known(process, lease, jvm, jvm, jvm);
        }
        return new Known(
                process,
                lease,
                jvm,
                asking.ask(process.identity(), Question.Kind.CHILDREN, "", PATIENCE),
                asking.ask(process.identity(), Question.Kind.GENERATIONS, "", PATIENCE));
    }

    private String json(Known known) {
        return new JsonFields()
                .json("process", known.process().json(context.clock().instant()))
                .json(
                        "lease",
                        known.lease().map(left -> "" + left.toMillis() / 1_000.0).orElse("null"))
                .checked("jvm", text(known.jvm()))
                .checked("children", text(known.children()))
                .checked("generations", text(known.generations()))
                .known("problem", known.problem())
                .toString();
    }

    private static String text(Reply reply) {
        return reply instanceof Reply.Answered answered ? answered.text() : "";
    }

    private void print(Known known, PrintWriter out) {
        out.print(ProcessRows.of(known.process(), known.lease(), context.clock().instant()));
        if (known.jvm() instanceof Reply.Answered answered) {
            out.print(ProcessRows.of(JvmView.of(answered.text())));
        }
        if (known.children() instanceof Reply.Answered answered) {
            out.print(ProcessRows.of(ChildView.listOf(answered.text()), context.clock().instant()));
        }
        if (known.generations() instanceof Reply.Answered answered) {
            out.print(ProcessRows.of(RestartView.of(answered.text()), context.clock().instant()));
        }
        if (!known.problem().isEmpty()) {
            spec.commandLine().getErr().println(TextTable.printable(known.problem()));
        }
    }
}
