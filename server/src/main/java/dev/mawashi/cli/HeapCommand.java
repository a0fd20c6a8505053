package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.wire.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi processes heap`.
@Command
final class HeapCommand implements Callable<Integer> {
    /// A heap of many gigabytes on a slow disk.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final long MIB = 1 << 20;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private OneProcess one = new OneProcess();

    @Option(
            names = "--child",
            paramLabel = "PID",
            description = "A child of the runner mri, in place of the server's JVM.")
    private @Nullable Long child;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean isYes;

    HeapCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        return one.find(context, (process, _, asking) -> write(process.identity(), asking));
    }

    private int write(String identity, Asking asking) {
        if (!isYes) {
            String deed =
                    "write the heap of %s to a file, with all secrets that it holds, while its jobs"
                            + " stand still";
            context.terminal()
                    .confirm(
                            deed.formatted(TextTable.printable(identity)),
                            spec.commandLine().getErr());
        }
        try (Recorder recorder = context.recorder(one.broker(context))) {
            recorder.record(new Audit.Intent(Act.HEAP, identity), () -> ask(identity, asking));
        }
        return Main.DONE;
    }

    /// @return the file, which has been printed: a Redis that refuses its record hides none
    private String ask(String identity, Asking asking) {
        String about = child == null ? "" : child.toString();
        Reply reply = asking.ask(identity, Question.Kind.HEAP, about, PATIENCE);
        if (!(reply instanceof Reply.Answered answered)) {
            throw new CommandFailure(TextTable.printable("no heap: " + reply.problem()));
        }
        JsonObject written = JsonObject.of(answered.text());
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                TextTable.printable(
                        String.format(
                                Locale.ROOT,
                                "%s, %,d MiB, on the machine of %s",
                                written.text("file"),
                                written.number("bytes") / MIB,
                                identity)));
        out.println("It holds all that the process knew, secrets too: delete it after use.");
        out.flush();
        return written.text("file");
    }
}
