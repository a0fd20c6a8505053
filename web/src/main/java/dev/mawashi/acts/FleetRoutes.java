package dev.mawashi.acts;

import dev.mawashi.desk.Desk;
import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.ReloadView;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.Signalling;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Cancellation;
import dev.mawashi.operate.Canceller;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Progress;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.RunCanceller;
import dev.mawashi.pages.Section;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import dev.mawashi.wire.RunId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The routes that change running jobs and processes.
final class FleetRoutes {
    /// How long a process that has the job may take to end it before that is reported as not done
    /// yet.
    private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(10);

    private static final int ID_MAX = 200;

    private final Work work;
    private final ActRoutes answering;
    private final ProcessQuestions questions;
    private final InstantSource clock;
    private final ResqueKeys resque;

    FleetRoutes(
            Work work,
            ActRoutes answering,
            ProcessQuestions questions,
            InstantSource clock,
            ResqueKeys resque) {
        this.work = work;
        this.questions = questions;
        this.answering = answering;
        this.clock = clock;
        this.resque = resque;
    }

    private enum Signal {
        QUIET(Act.QUIET, "TSTP"),
        STOP(Act.STOP, "TERM");

        private final Act act;
        private final String signal;

        Signal(Act act, String signal) {
            this.act = act;
            this.signal = signal;
        }
    }

    List<Route> routes() {
        return List.of(
                answering.route(
                        new ActRoutes.Post(
                                "busy/cancel",
                                Work.role(Act.CANCEL),
                                Section.BUSY,
                                Set.of("jid", "run"),
                                this::cancel),
                        _ -> new ActRoutes.Page("/busy", Map.of())),
                one(Signal.QUIET),
                one(Signal.STOP),
                asked(
                        Act.RESTART,
                        Question.Kind.RESTART,
                        "; perhaps it begins the restart",
                        _ -> ""),
                asked(
                        Act.RELOAD,
                        Question.Kind.RELOAD,
                        "; perhaps it reads them all the same",
                        answer -> ReloadView.of(answer).summary()),
                all(Signal.QUIET),
                all(Signal.STOP));
    }

    private Route one(Signal signal) {
        return signal(
                "processes/{identity}/" + signal.act.word(), signal, ask -> signal(ask, signal));
    }

    /// An act that a process performs when it is asked.
    ///
    /// @param perhaps the end of the message where its answer is late
    /// @param detail of the record, from the process's answer
    private Route asked(Act act, Question.Kind kind, String perhaps, UnaryOperator<String> detail) {
        return answering.route(
                new ActRoutes.Post(
                        "processes/{identity}/" + act.word(),
                        Work.role(act),
                        Section.PROCESSES,
                        Set.of(),
                        ask -> {
                            String identity = live(ask.inPath("identity")).identity();
                            Reply reply = questions.ask(identity, kind, "");
                            return record(
                                    ask, new Audit.Intent(act, identity), reply, perhaps, detail);
                        }),
                _ -> new ActRoutes.Page("/processes", Map.of()));
    }

    /// Recorded unless the process was not asked or has refused: one that is late may have begun.
    private ActOutcome record(
            Ask ask,
            Audit.Intent intent,
            Reply reply,
            String perhaps,
            UnaryOperator<String> detail) {
        if (reply instanceof Reply.Answered answered) {
            String text = detail.apply(answered.text());
            return work.atOnce(ask, intent, (_, _) -> new Audit.Came(Report.NOTHING, text));
        }
        if (reply == Reply.Unanswered.LATE) {
            work.atOnce(ask, intent, (_, _) -> new Audit.Came(Report.NOTHING, reply.problem()));
            throw new ActRefusal(409, reply.problem() + perhaps);
        }
        throw new ActRefusal(409, reply.problem());
    }

    private Route all(Signal signal) {
        return signal("processes/" + signal.act.word(), signal, ask -> signalAll(ask, signal));
    }

    private Route signal(String template, Signal signal, ActRoutes.Performing performing) {
        return answering.route(
                new ActRoutes.Post(
                        template, Work.role(signal.act), Section.PROCESSES, Set.of(), performing),
                _ -> new ActRoutes.Page("/processes", Map.of()));
    }

    private ActOutcome signal(Ask ask, Signal signal) {
        String identity = ask.inPath("identity");
        if (signal == Signal.STOP) {
            ask.confirm(
                    "Stop " + identity + "?",
                    "Its running jobs get 25 s, unless it was started with another -t; the rest"
                            + " goes back to the head of its queue. Whatever started it may start it"
                            + " anew.");
        }
        if (live(identity).info().isEmbedded()) {
            throw new ActRefusal(409, "it is embedded in another program: signal that one");
        }
        return work.atOnce(
                ask,
                new Audit.Intent(signal.act, identity),
                (desk, _) -> {
                    new Signalling(desk.connection()).send(identity, signal.signal);
                    return Audit.Came.to(Report.NOTHING);
                });
    }

    private ProcessRecord live(String identity) {
        return work.desks().read(desk -> desk.processes().processes()).stream()
                .filter(one -> one.identity().equals(identity))
                .findFirst()
                .orElseThrow(
                        () -> new ActRefusal(404, "no live process has this identity: it ended"));
    }

    private ActOutcome signalAll(Ask ask, Signal signal) {
        ask.confirm(
                signal == Signal.STOP ? "Stop all processes?" : "Quiet all processes?",
                "Until others are started no job runs.");
        return work.atOnce(
                ask,
                new Audit.Intent(signal.act, Places.PROCESSES, "", "all"),
                (desk, _) -> {
                    Signalling signalling = new Signalling(desk.connection());
                    List<String> asked =
                            desk.processes().processes().stream()
                                    .filter(process -> !process.info().isEmbedded())
                                    .map(ProcessRecord::identity)
                                    .toList();
                    asked.forEach(identity -> signalling.send(identity, signal.signal));
                    return Audit.Came.to(Report.touched(asked.size()));
                });
    }

    private ActOutcome cancel(Ask ask) {
        String jid = ask.fields().one("jid");
        String run = ask.fields().one("run");
        if (jid.isEmpty() == run.isEmpty() || (jid + run).length() > ID_MAX) {
            throw ActRefusal.wrong("which job? Give its jid, or the run of one that has none");
        }
        Audit.Intent intent = new Audit.Intent(Act.CANCEL, "job " + jid + run);
        if (jid.isEmpty()) {
            RunId id =
                    RunId.parse(run)
                            .orElseThrow(
                                    () -> ActRefusal.wrong("a run is named as in 0f3a1c2b9d8e-17"));
            return work.task(
                    ask, intent, _ -> 0, (connection, _, _) -> came(cancelRun(connection, id)));
        }
        return work.task(
                ask,
                intent,
                FleetRoutes::places,
                (connection, _, progress) -> came(cancelJob(connection, jid, progress)));
    }

    /// How many jobs wait where it may be.
    private static long places(Desk desk) {
        var stats = desk.inspector().stats();
        return stats.retries() + stats.scheduled() + stats.enqueued();
    }

    private Cancellation cancelRun(RedisConnection connection, RunId run) {
        QueueLayout layout = resque.layout();
        return new RunCanceller(
                        new CancelMarks(connection, layout), new InFlightReader(connection, layout))
                .cancel(run, CANCEL_PATIENCE);
    }

    private Cancellation cancelJob(RedisConnection connection, String jid, Progress progress) {
        CancelMarks marks = new CancelMarks(connection, QueueLayout.SIDEKIQ);
        InFlightReader inFlight = new InFlightReader(connection, QueueLayout.SIDEKIQ);
        // One that runs need not be looked for in all that waits: its mark has it ended there, and
        // anywhere else for a day.
        if (!inFlight.held(jid).isEmpty()) {
            Optional<Cancellation> ended =
                    Canceller.cancelHeld(marks, inFlight, jid, CANCEL_PATIENCE);
            if (ended.isPresent()) {
                return ended.get();
            }
        }
        return new Canceller(marks, inFlight, connection, clock)
                .cancel(jid, CANCEL_PATIENCE, progress);
    }

    private static Audit.Came came(Cancellation cancelled) {
        String places = String.join(", ", cancelled.places());
        boolean isDone =
                switch (cancelled.state()) {
                    case DELETED, ENDED, TOLD -> true;
                    case TOO_LATE, NOWHERE -> false;
                };
        String detail =
                switch (cancelled.state()) {
                    case DELETED -> "deleted from " + places;
                    case ENDED -> "ended" + (places.isEmpty() ? "" : " in " + places);
                    case TOLD -> "sent to " + places + ", which has not ended it yet";
                    case TOO_LATE -> "too late: it had ended by itself in " + places;
                    case NOWHERE -> "nowhere: it waits in no queue or set, and does not run";
                };
        return new Audit.Came(isDone ? Report.touched(1) : Report.gone(1), detail);
    }
}
