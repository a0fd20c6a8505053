package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Report;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi restart`.
@Command(
        description = {
            "Starts new code in a process, beside the old. Running jobs end on the old code,"
                    + " however long they take; others run on the new code once that can run jobs.",
            "If the new code does not boot, the old goes on, and the exit code is 1."
        },
        footer = {
            "  mawashi restart",
            "  mawashi restart web-1:4711",
            "  mawashi restart web-1:4711 --no-wait",
        })
final class RestartCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(500);

    /// Several answers of a process that does other work may fail to come in a row.
    private static final int SILENT_MAX = 6;

    private static final int LISTED_MAX = 10;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "ID",
            arity = "0..1",
            description =
                    "Identity as listed by mawashi processes, or a beginning that only one has. Not"
                            + " needed where there is one process.")
    private @Nullable String id;

    @Mixin private RedisOption redis = new RedisOption();

    @Option(names = "--no-wait", description = "Return when the boot of the new code begins.")
    private boolean isNotWaiting;

    RestartCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        RedisBroker broker = context.broker(redis);
        try (RedisConnection connection = broker.connect("inspect");
                Recorder recorder = context.recorder(broker)) {
            return WrongKey.explain(
                    Keys.PROCESSES,
                    "set of processes' hashes",
                    () -> restart(connection, recorder));
        }
    }

    private int restart(RedisConnection connection, Recorder recorder) {
        String identity = chosen(new ProcessReader(connection).processes()).identity();
        Asking asking = new Asking(connection);
        Reply reply = ask(asking, identity, Question.Kind.RESTART);
        Audit.Intent intent = new Audit.Intent(Act.RESTART, identity);
        if (reply == Reply.Unanswered.LATE) {
            // Perhaps it begins the restart all the same.
            recorder.note(intent, Report.NOTHING, reply.problem());
        }
        if (!(reply instanceof Reply.Answered begun)) {
            throw new CommandFailure(
                    TextTable.printable("not restarted: " + identity + ": " + reply.problem()));
        }
        recorder.note(intent, Report.NOTHING, "");
        RestartView view = RestartView.of(begun.text());
        long wanted = view.generation() + (view.state() == RestartView.State.READY ? 0 : 1);
        say("%s: generation %d boots", identity, wanted);
        if (!isNotWaiting) {
            report(identity, awaitEnd(asking, identity, view), wanted);
        }
        return Main.DONE;
    }

    private ProcessRecord chosen(List<ProcessRecord> live) {
        if (id != null) {
            return Identities.only(id, live);
        }
        if (live.isEmpty()) {
            throw new CommandFailure("there is no process: start one with mawashi run");
        }
        if (live.size() > 1) {
            throw new WrongUse(
                    "which of "
                            + live.size()
                            + " processes? Give the identity: "
                            + live.stream()
                                    .limit(LISTED_MAX)
                                    .map(one -> TextTable.printable(one.identity()))
                                    .collect(Collectors.joining(", ")));
        }
        return live.getFirst();
    }

    private static Reply ask(Asking asking, String identity, Question.Kind kind) {
        return asking.ask(identity, kind, "", ShowProcessCommand.PATIENCE);
    }

    /// The process itself limits the time.
    private static RestartView awaitEnd(Asking asking, String identity, RestartView begun) {
        RestartView view = begun;
        int silent = 0;
        while (view.state() == RestartView.State.BOOTING) {
            LockSupport.parkNanos(LOOK.toNanos());
            Reply reply = ask(asking, identity, Question.Kind.GENERATIONS);
            if (reply instanceof Reply.Answered told) {
                view = RestartView.of(told.text());
                silent = 0;
                continue;
            }
            silent++;
            if (reply == Reply.Unanswered.GONE || silent >= SILENT_MAX) {
                throw new CommandFailure(
                        TextTable.printable(
                                identity
                                        + " was asked to restart, and says no more: "
                                        + reply.problem()));
            }
        }
        return view;
    }

    private void report(String identity, RestartView view, long wanted) {
        if (view.generation() < wanted) {
            view.reason()
                    .lines()
                    .skip(1)
                    .forEach(
                            line -> spec.commandLine().getErr().println(TextTable.printable(line)));
            throw new CommandFailure(
                    TextTable.printable(
                            "generation %d failed, generation %d goes on: %s"
                                    .formatted(
                                            wanted,
                                            view.generation(),
                                            view.reason()
                                                    .lines()
                                                    .findFirst()
                                                    .orElse("no reason"))));
        }
        say("%s: generation %d is ready and takes the jobs", identity, view.generation());
        long runs = view.oldRuns();
        if (runs > 0) {
            say("%s: %d jobs of the old code go on until their end", identity, runs);
        }
    }

    private void say(String form, Object... values) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(TextTable.printable(form.formatted(values)));
        out.flush();
    }
}
