package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.execute.Tracing;
import dev.mawashi.job.Cut;
import dev.mawashi.job.Outcome;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.metrics.RunTally;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One place where jobs run, one after the other, on a thread of its own.
///
/// `running` decides who settles a job: the slot when its run ends, the capsule's stop when it
/// gives the job back, or `ThreadSlots` when the job would not end. Each swaps the lease out, and
/// only the one that got it settles it. A slot is stuck with a job that would not end, and over
/// when that returns after all.
final class Slot implements Runnable {
    private static final int BACKTRACE_LINES_MAX = 100;

    private final LeaseBuffer buffer;
    private final Runner runner;
    private final RunParts parts;
    private final Admission admission;
    private final Counters counters;
    private final Nap nap;
    private final Listener listener;
    private final @Nullable RunTally tally;
    private final @Nullable Tracing tracing;
    private final AtomicReference<@Nullable Lease> running = new AtomicReference<>();

    /// Guarded by this. It is set before the lock is left under which the lease was swapped out, so
    /// that the slot, which finds that gone, sees why.
    private boolean isStuck;

    private volatile long startedNanos;
    private volatile String thread = "";
    private volatile @Nullable Thread host;
    private volatile @Nullable RunnerSlot session;
    private volatile @Nullable Asked asked;

    /// What the last job has cost. Its thread's.
    private long over;

    /// The reason for which a run was asked to end.
    private record Asked(Lease lease, Cut cut) {}

    /// @param nap ended each time that it has begun a job
    Slot(Runner runner, RunParts parts, LeaseBuffer buffer, Counters counters, Nap nap) {
        this.buffer = buffer;
        this.runner = runner;
        this.parts = parts;
        this.admission = new Admission(parts, buffer);
        this.listener = parts.listener();
        this.tally = parts.tallies().open(runner.word());
        this.tracing = parts.tracing();
        this.counters = counters;
        this.nap = nap;
    }

    @Override
    public void run() {
        host = Thread.currentThread();
        thread = Thread.currentThread().getName();
        try (RunnerSlot opened = runner.openSlot()) {
            session = opened;
            boolean goesOn;
            do {
                goesOn = runNext(opened);
            } while (goesOn);
        }
    }

    /// A method of its own: while it waits for a job no frame of this thread holds the one before,
    /// which may be large.
    ///
    /// @return false when there is none any more, or this slot is stuck with it
    private boolean runNext(RunnerSlot opened) {
        Lease lease = buffer.take(over);
        if (lease == null) {
            return false;
        }
        over = buffer.payloads.cost(lease);
        return runOne(opened, lease);
    }

    /// @return false when this slot is stuck with it
    private boolean runOne(RunnerSlot opened, Lease lease) {
        long start = System.nanoTime();
        if (!admission.admits(lease, start)) {
            return true;
        }
        startedNanos = start;
        running.set(lease);
        nap.end();
        Outcome outcome = tracing == null ? attempt(opened, lease) : traced(tracing, opened, lease);
        long end = System.nanoTime();
        Lease mine = running.getAndSet(null);
        if (mine != null) {
            parts.settle(mine, asAsked(mine, outcome), opened);
        } else if (isStuck()) {
            return false;
        }
        if (tally != null) {
            tally.count(opened.jobName(), outcome, start, end);
        }
        // Last, so that a run which counts as ended is one that the settler knows of.
        counters.ended(end - start, outcome);
        return true;
    }

    /// A run that was asked to end, and did not succeed, ended for that.
    private Outcome asAsked(Lease lease, Outcome outcome) {
        Asked last = asked;
        return last == null || outcome instanceof Outcome.Succeeded || !last.lease().equals(lease)
                ? outcome
                : last.cut().over(outcome);
    }

    private Outcome traced(Tracing traces, RunnerSlot opened, Lease lease) {
        Tracing.Span span = traces.begin(lease.queue(), lease.payload());
        Outcome outcome = attempt(opened, lease);
        span.end(outcome);
        return outcome;
    }

    private Outcome attempt(RunnerSlot opened, Lease lease) {
        try {
            return opened.run(lease.queue(), lease.payload());
        } catch (Throwable defect) {
            // A runner must not throw; if it does, the job is treated as failed and not lost.
            listener.on(new Event.Defect("runner", defect));
            List<String> lines = new ArrayList<>();
            for (StackTraceElement frame : defect.getStackTrace()) {
                if (lines.size() < BACKTRACE_LINES_MAX) {
                    lines.add(frame.toString());
                }
            }
            return new Outcome.Failed(
                    defect.getClass().getName(), String.valueOf(defect.getMessage()), lines);
        }
    }

    /// What runs here now; null when idle.
    @Nullable Running running() {
        Lease lease = running.get();
        return lease == null ? null : described(lease);
    }

    /// The job that runs here, for reports: it, its thread and since when.
    Running described(Lease lease) {
        return new Running(thread, 0, lease, startedNanos);
    }

    /// Where this job is; empty when it does not run here, or has ended meanwhile.
    Optional<Stack> stack(Running wanted) {
        RunnerSlot opened = session;
        Thread runs = host;
        if (opened == null || runs == null || !runs(wanted.lease())) {
            return Optional.empty();
        }
        List<String> java = new ArrayList<>();
        for (StackTraceElement frame : runs.getStackTrace()) {
            java.add(frame.toString());
        }
        Stack stack = new Stack(wanted, opened.backtrace(), java, lockedBy(runs));
        return runs(wanted.lease()) ? Optional.of(stack) : Optional.empty();
    }

    /// The JVM knows the holders of its monitors and of locks as Ruby on JRuby has them.
    private static String lockedBy(Thread waiting) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(waiting.threadId());
        return info == null ? "" : Objects.requireNonNullElse(info.getLockOwnerName(), "");
    }

    /// Takes the running job away from the slot, so that its end settles nothing.
    @Nullable Lease takeAway() {
        return running.getAndSet(null);
    }

    boolean runs(Lease lease) {
        return lease.equals(running.get());
    }

    private synchronized boolean isStuck() {
        return isStuck;
    }

    /// Asks this job to end.
    void cut(Lease lease, Cut cut) {
        RunnerSlot opened = session;
        if (opened != null && runs(lease)) {
            asked = new Asked(lease, cut);
            opened.cut(lease.payload(), cut);
        }
    }

    /// Takes this job away for good: when it returns, this slot ends.
    ///
    /// @return false when it has ended, or is another's to settle
    synchronized boolean markStuck(Lease lease) {
        if (!running.compareAndSet(lease, null)) {
            return false;
        }
        isStuck = true;
        // Nobody knows when it returns, and others must not wait for that.
        buffer.run(() -> buffer.payloads.free(buffer.payloads.cost(lease)));
        return true;
    }

    /// Gives the tally back, once nobody runs jobs here any more.
    void leave(RunTallies tallies) {
        if (tally != null) {
            tallies.giveBack(tally);
        }
    }

    /// Asks the job that runs to end.
    void interrupt() {
        RunnerSlot opened = session;
        if (opened != null) {
            opened.interrupt();
        }
    }
}
