package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildEnd;
import dev.mawashi.execute.Tracing;
import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Settles the jobs that a capsule's children were sent: those that ended, those that were not
/// begun, and those whose child died. Safe for any thread.
///
/// A child that dies takes with it what it ran. A job that ran there alone failed by that; of
/// several it is not known whose fault it was: they run again, and one that is in hand at a second
/// crash runs alone from then on.
final class ChildSettling {
    /// The error class of a job whose process died; `mawashi/lost_jobs.rb` has it too.
    static final String CHILD_DIED = "Mawashi::ChildDied";

    private static final int CRASHES_BEFORE_ALONE = 2;

    private final RunParts parts;
    private final LeaseBuffer buffer;
    private final Counters counters;
    private final AloneChildren alone;
    private final Supplier<@Nullable Child> living;
    private final int lane;
    private final AtomicLong lastId = new AtomicLong();
    private final Decisions decisions = new Decisions();
    private final ChildCrashes crashes = new ChildCrashes();
    private boolean isRecalled;

    /// @param lane of the capsule's jobs in its children
    /// @param alone runs jobs that were in hand when children died
    /// @param living gives a child that lives, null when there is none
    ChildSettling(
            RunParts parts,
            LeaseBuffer buffer,
            Counters counters,
            int lane,
            AloneChildren alone,
            Supplier<@Nullable Child> living) {
        this.parts = parts;
        this.buffer = buffer;
        this.counters = counters;
        this.lane = lane;
        this.alone = alone;
        this.living = living;
    }

    /// A new id, under which a child of this capsule knows a job.
    long nextId() {
        return Child.id(lastId.incrementAndGet(), lane);
    }

    /// Runs that succeeded.
    ///
    /// @param jobs those of them that are to be settled
    /// @param nanos that the runs took together
    void succeeded(List<Lease> jobs, int runs, long nanos) {
        parts.settler().acknowledge(jobs);
        crashes.forget(jobs);
        counters.succeeded(runs, nanos);
    }

    /// A run that did not succeed.
    ///
    /// @param id under which the child knows it; a new one when its child is gone
    /// @param isSeen whether the app's own process saw it end
    record Ended(long id, long nanos, Lease lease, Outcome outcome, boolean isSeen) {}

    /// A fork that died, as its forker reports.
    static boolean isDeath(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed && failed.errorClass().equals(CHILD_DIED);
    }

    /// Has such a run settled, on a thread of its own: the app is asked through a child's link, and
    /// its answer comes by the thread that calls this.
    ///
    /// @param child gives the one that is asked, if need be, for what the app wants done
    /// @param onEnd called when it is handed to the settler
    void decide(Ended run, Supplier<@Nullable Child> child, Runnable onEnd) {
        decisions.make(() -> {
            try {
                settle(run, child);
            } finally {
                onEnd.run();
            }
        });
    }

    private void settle(Ended run, Supplier<@Nullable Child> child) {
        trace(run.lease(), run.nanos(), run.outcome());
        parts.settle(run.lease(), run.outcome(), notice(run.id(), run.isSeen(), child));
        crashes.forget(List.of(run.lease()));
        counters.ended(run.nanos(), run.outcome());
    }

    /// Reports a run that has ended, where somebody traces.
    ///
    /// @param nanos that it took; 0 when that is not known
    void trace(Lease lease, long nanos, Outcome outcome) {
        Tracing tracing = parts.tracing();
        if (tracing != null) {
            tracing.ran(lease.queue(), lease.payload(), nanos, outcome);
        }
    }

    private static GiveUpNotice notice(long id, boolean isSeen, Supplier<@Nullable Child> child) {
        return new GiveUpNotice() {
            @Override
            public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
                Child asked = child.get();
                return asked == null ? Optional.of(payload) : asked.giveUp(id, payload, reason);
            }

            @Override
            public boolean failed(byte[] payload) {
                Child asked = isSeen ? null : child.get();
                if (asked != null) {
                    asked.failed(id, payload);
                }
                return !isSeen;
            }
        };
    }

    /// A run that ended when its job was no longer its child's, so that it settles nothing.
    void endedLate(long nanos, Outcome outcome) {
        counters.ended(nanos, outcome);
    }

    /// Reports to the app a job that is settled.
    void notifyApp(LateNews news) {
        decisions.make(() -> news.notifyApp(notice(nextId(), false, living)));
    }

    /// True when all that ended was handed to the settler.
    boolean isDone() {
        return decisions.areMade();
    }

    /// Jobs that no child has begun run elsewhere.
    void giveBack(List<Lease> unbegun) {
        if (!putBack(unbegun)) {
            parts.settler().requeue(unbegun);
        }
    }

    /// Not after the last look into the buffer, or they would lie there until the process ends and
    /// go back only after what runs now.
    private synchronized boolean putBack(List<Lease> unbegun) {
        if (!isRecalled) {
            buffer.putBack(unbegun);
        }
        return !isRecalled;
    }

    /// See `Slots`.
    synchronized void endRecall() {
        isRecalled = true;
    }

    /// The end of a child.
    ///
    /// @param running how many jobs it ran, of whatever capsule
    /// @param late those of them for which it was killed
    record Crash(ChildEnd end, int running, IdentityHashMap<Lease, Cut> late) {}

    /// A child died.
    void died(HeldJobs.Fates fates, Crash crash) {
        giveBack(fates.unharmed());
        if (crash.late().isEmpty()) {
            crashed(fates.running(), crash);
        } else {
            killed(fates.running(), crash.late());
        }
    }

    private void crashed(List<Lease> running, Crash crash) {
        if (running.isEmpty()) {
            return;
        }
        if (crash.running() == 1 && isToBlame(running.getFirst(), crash.end())) {
            String how = crash.end().describe();
            failDead(running.getFirst(), new Outcome.Failed(CHILD_DIED, how, List.of()));
            return;
        }
        crashes.count(running);
        List<Lease> again = new ArrayList<>();
        for (Lease lease : running) {
            if (crashes.of(lease) < CRASHES_BEFORE_ALONE || !alone.add(lease)) {
                again.add(lease);
            }
        }
        giveBack(again);
    }

    /// Jobs that are not late did nothing wrong, and run again.
    private void killed(List<Lease> running, IdentityHashMap<Lease, Cut> late) {
        List<Lease> again = new ArrayList<>();
        for (Lease lease : running) {
            Cut cut = late.get(lease);
            if (cut == null) {
                again.add(lease);
            } else {
                failDead(lease, cut.outcome());
            }
        }
        giveBack(again);
    }

    /// Its child is gone, so another is asked.
    private void failDead(Lease lease, Outcome outcome) {
        decide(new Ended(nextId(), 0, lease, outcome, false), living, () -> {});
    }

    /// A parent's end takes all its children along. Who was to blame for it is only clear when it
    /// happens again and again.
    private boolean isToBlame(Lease lease, ChildEnd end) {
        return end.isKnown() || crashes.of(lease) >= CRASHES_BEFORE_ALONE;
    }
}
