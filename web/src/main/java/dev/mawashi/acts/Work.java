package dev.mawashi.acts;

import dev.mawashi.desk.Desk;
import dev.mawashi.desk.Desks;
import dev.mawashi.http.Role;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Selection;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.Keeping;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Does acts with their record: what is short at a desk, what may be long as a task.
final class Work {
    /// A request waits that long for a task before it answers that the task goes on.
    static final Duration PATIENCE = Duration.ofMillis(900);

    /// What a person reads before a change to many jobs.
    static final String KEPT = "Of a large number only the first thousand can be had back.";

    private final Desks desks;
    private final Tasks tasks;

    Work(Desks desks, Tasks tasks) {
        this.desks = desks;
        this.tasks = tasks;
    }

    Desks desks() {
        return desks;
    }

    /// Does an act at a desk.
    interface AtDesk {
        Audit.Came perform(Desk desk, Keeping keeping);
    }

    /// Whom an act needs.
    static Role role(Act act) {
        return act.isAdministrators() ? Role.ADMIN : Role.OPERATOR;
    }

    /// Does it at once.
    ///
    /// @throws Refusal while a task is under way in the same place
    ActOutcome atOnce(Ask ask, Audit.Intent intent, AtDesk act) {
        tasks.requireFree(intent.place());
        return new ActOutcome.Done(
                desks.read(desk ->
                        tasks.audit(desk.connection())
                                .record(
                                        ask.author(),
                                        intent,
                                        (keeping, _) -> act.perform(desk, keeping))));
    }

    /// Jobs of a place that an act is for.
    ///
    /// @param operator of the place, over a connection
    record Jobs(
            Audit.Intent intent,
            Selection selection,
            Function<RedisConnection, Operator> operator) {
        private String question() {
            JobQuery query = selection.query();
            String which =
                    query.isAll() ? "all jobs" : "all jobs that match (" + intent.detail() + ")";
            String to = intent.to().isEmpty() ? "" : " to queue " + intent.to();
            String act = ActText.imperative(intent.act().word());
            return act + " " + which + " of " + ActText.place(intent.place()) + to + "?";
        }
    }

    /// Does a change to many jobs, as a task.
    ///
    /// @param note a person reads it before
    ActOutcome many(Ask ask, Change change, Jobs jobs, String note) {
        ask.confirm(jobs.question(), note);
        return task(
                ask,
                jobs.intent(),
                desk -> jobs.operator().apply(desk.connection()).size(),
                (connection, keeping, progress) ->
                        Audit.Came.to(
                                jobs.operator()
                                        .apply(connection)
                                        .perform(
                                                change,
                                                jobs.selection().query(),
                                                keeping,
                                                progress)));
    }

    /// Begins it, and reports its result if it is over soon.
    ///
    /// @param size how many jobs it will look at
    /// @throws Refusal while another is under way in the same place
    ActOutcome task(Ask ask, Audit.Intent intent, ToLongFunction<Desk> size, Tasks.Work work) {
        RunningAct running =
                tasks.start(
                        intent.place(),
                        () ->
                                desks.read(desk -> {
                                    long total = size.applyAsLong(desk);
                                    Audit audit = tasks.audit(desk.connection());
                                    return new RunningAct(audit.begin(ask.author(), intent), total);
                                }),
                        work);
        AuditEntry ended = running.await(PATIENCE);
        return ended == null ? new ActOutcome.UnderWay(running) : new ActOutcome.Done(ended);
    }
}
