package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.job.Cut;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The places of one capsule where jobs run. They take their jobs from the capsule's buffer and
/// have what came of them settled; when the buffer closes they finish what they began and end.
interface Slots {

    void start();

    /// Puts back into the buffer, which is closed, what slots hold and have not begun.
    void recall();

    /// What comes back from now on goes to its queue by itself, since nobody looks into the buffer
    /// again but for once.
    default void endRecall() {}

    /// Waits until all have ended, which they do once the buffer is closed.
    void awaitEnd(Duration patience);

    /// True when nothing runs here and nothing will.
    boolean haveEnded();

    /// How many of its slots run a job or are about to. Of use once the buffer is closed: until
    /// then idle ones may count.
    int busy();

    /// Leaves so many slots empty, whose jobs run in a process of older code. From `start` on the
    /// number only falls.
    void holdBack(int slots);

    /// The jobs that run now.
    List<Running> running();

    /// The processes that run jobs here; none where threads do.
    default Set<Long> pids() {
        return Set.of();
    }

    /// The same processes, each looked at.
    default List<ChildState> children() {
        return List.of();
    }

    /// Where a running job is; empty when it has ended. It may take seconds when another process is
    /// asked.
    Optional<Stack> stack(Running running);

    /// Has jobs that were claimed and not begun looked at again before they begin, since some may
    /// be cancelled now.
    void reconsider();

    /// Asks a job that runs to end. Does nothing when it has ended.
    void cut(Lease lease, Cut cut);

    /// Ends a job that did not let itself be asked: from now on it is settled as failed, and what
    /// it holds is freed as far as that can be done. Does nothing when it has ended. It is called
    /// again when that had no effect; then the whole child goes in which the job runs.
    void end(Lease lease, Cut cut);

    /// Reports to the app a job that is settled, on a thread of its own.
    void notifyApp(LateNews news);

    /// Threads of this process that such jobs hold for good, and how many may be replaced.
    default Stuck stuck() {
        return Stuck.NONE;
    }

    /// Takes the running jobs away from the slots, so that their ends settle nothing.
    List<Lease> takeAway();

    /// Takes those away that run on this generation of the app's code or an older one.
    default List<Lease> takeAwayUpTo(int generation) {
        return List.of();
    }

    /// Asks all jobs that run to end.
    void interrupt();
}
