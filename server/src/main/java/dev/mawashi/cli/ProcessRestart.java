package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Report;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Restarts a process, from the question to the end, and prints each stage.
final class ProcessRestart {
    private static final Duration LOOK = Duration.ofMillis(500);

    /// Answers that may fail to come in a row: the process may do other work. The record of one
    /// that died lasts for 60 s, and one answer is awaited for 5 s, so a dead one is found to be
    /// gone.
    private static final int SILENT_MAX = 15;

    private final Asking asking;
    private final Recorder recorder;
    private final PrintWriter out;
    private final Runnable onLook;

    /// @param onLook called before each question about a restart that is under way
    ProcessRestart(Asking asking, Recorder recorder, PrintWriter out, Runnable onLook) {
        this.asking = asking;
        this.recorder = recorder;
        this.out = out;
        this.onLook = onLook;
    }

    /// The process has ended, or its restart has failed; the message says which.
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient List<String> details;
        private final boolean isGone;

        private Failed(String message, List<String> details, boolean isGone) {
            super(TextTable.printable(message));
            this.details = List.copyOf(details);
            this.isGone = isGone;
        }

        /// Further lines, such as those of a backtrace.
        List<String> details() {
            return details;
        }

        /// Whether no live process has this identity any more.
        boolean isGone() {
            return isGone;
        }
    }

    /// Asks the process to begin, and records that.
    ///
    /// @throws Failed when it does not begin
    RestartView begin(String identity) {
        Reply reply = ask(identity, Question.Kind.RESTART);
        Audit.Intent intent = new Audit.Intent(Act.RESTART, identity);
        if (reply == Reply.Unanswered.LATE) {
            recorder.note(intent, Report.NOTHING, reply.problem());
            throw failed(
                    identity
                            + " was asked to restart and may still do so (mawashi processes show):"
                            + " "
                            + reply.problem(),
                    reply);
        }
        if (!(reply instanceof Reply.Answered begun)) {
            throw failed("not restarted: " + identity + ": " + reply.problem(), reply);
        }
        recorder.note(intent, Report.NOTHING, "");
        RestartView view = RestartView.of(begun.text());
        say("%s: generation %d boots", identity, wanted(view));
        return view;
    }

    /// Waits until the new code runs jobs; the process itself limits the time.
    ///
    /// @param begun as `begin` returned it
    /// @return identity of the process that has taken this one's place; "" when none has
    /// @throws Failed when it does not come to that
    String complete(String identity, RestartView begun) {
        RestartView view = awaitEnd(identity, begun);
        long wanted = wanted(begun);
        if (view.generation() < wanted) {
            List<String> lines = view.reason().lines().toList();
            throw new Failed(
                    "generation %s failed, generation %s goes on: %s"
                            .formatted(
                                    wanted,
                                    view.generation(),
                                    lines.isEmpty() ? "no reason" : lines.getFirst()),
                    lines.stream().skip(1).toList(),
                    false);
        }
        say("%s: generation %d is ready and takes the jobs", identity, view.generation());
        if (!view.successor().isEmpty()) {
            say("%s: its place is taken by %s", identity, view.successor());
        }
        long runs = view.oldRuns();
        if (runs > 0) {
            String form =
                    runs == 1
                            ? "%s: %d job of the old code goes on until its end"
                            : "%s: %d jobs of the old code go on until their end";
            say(form, identity, runs);
        }
        return view.successor();
    }

    private static long wanted(RestartView begun) {
        return begun.generation() + (begun.state() == RestartView.State.READY ? 0 : 1);
    }

    /// Waits for the end of a restart that somebody else has begun, whatever comes of it.
    ///
    /// @return as `complete`
    /// @throws Failed when the process says nothing
    String awaitOther(String identity) {
        RestartView view = look(identity);
        if (view.state() == RestartView.State.BOOTING) {
            say("%s: a restart is under way, and ends first", identity);
            view = awaitEnd(identity, view);
        }
        return view.successor();
    }

    private RestartView awaitEnd(String identity, RestartView begun) {
        RestartView view = begun;
        while (view.state() == RestartView.State.BOOTING) {
            LockSupport.parkNanos(LOOK.toNanos());
            view = look(identity);
        }
        return view;
    }

    private RestartView look(String identity) {
        for (int silent = 1; ; silent++) {
            onLook.run();
            Reply reply = ask(identity, Question.Kind.GENERATIONS);
            if (reply instanceof Reply.Answered told) {
                return RestartView.of(told.text());
            }
            if (reply == Reply.Unanswered.GONE || silent >= SILENT_MAX) {
                throw failed(identity + " says no more: " + reply.problem(), reply);
            }
        }
    }

    private Reply ask(String identity, Question.Kind kind) {
        return asking.ask(identity, kind, "", ShowProcessCommand.PATIENCE);
    }

    private static Failed failed(String message, Reply reply) {
        return new Failed(message, List.of(), reply == Reply.Unanswered.GONE);
    }

    private void say(String form, Object... values) {
        out.println(TextTable.printable(form.formatted(values)));
        out.flush();
    }
}
