package dev.mawashi.acts;

import dev.mawashi.desk.Desk;
import dev.mawashi.desk.Desks;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.tables.Keeping;
import java.time.Duration;
import java.util.function.ToLongFunction;

/// Does acts with their record: what is short at a desk, what may be long as a task.
final class Work {
    /// A request waits that long for a task before it tells that the task goes on.
    static final Duration PATIENCE = Duration.ofMillis(900);

    private final Desks desks;
    private final Tasks tasks;

    Work(Desks desks, Tasks tasks) {
        this.desks = desks;
        this.tasks = tasks;
    }

    Desks desks() {
        return desks;
    }

    /// What is done at a desk.
    interface AtDesk {
        Audit.Came perform(Desk desk, Keeping keeping);
    }

    /// Does it at once.
    ///
    /// @throws Refusal while a task is under way in the same place
    Outcome atOnce(Ask ask, Audit.Intent intent, AtDesk act) {
        tasks.requireFree(intent.place());
        return new Outcome.Done(
                desks.read(desk ->
                        tasks.audit(desk.connection())
                                .record(
                                        ask.author(),
                                        intent,
                                        (keeping, _) -> act.perform(desk, keeping))));
    }

    /// Begins it, and tells what it came to where it is over soon.
    ///
    /// @param size how many jobs it will look at
    /// @throws Refusal while another is under way in the same place
    Outcome task(Ask ask, Audit.Intent intent, ToLongFunction<Desk> size, Tasks.Work work) {
        Running running =
                tasks.start(
                        intent.place(),
                        () ->
                                desks.read(desk -> {
                                    long total = size.applyAsLong(desk);
                                    Audit audit = tasks.audit(desk.connection());
                                    return new Running(audit.begin(ask.author(), intent), total);
                                }),
                        work);
        AuditEntry ended = running.await(PATIENCE);
        return ended == null ? new Outcome.UnderWay(running) : new Outcome.Done(ended);
    }
}
