package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.Outcome;
import dev.mawashi.metrics.RunTally;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.Settler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One place where jobs run, one after the other, on a thread of its own.
///
/// `running` decides who settles a job: the slot when its run ends, or the capsule's stop when it
/// gives the job back. Each swaps the lease out, and only the one that got it settles it. `jobs`
/// and `nanos` are written by the slot's thread alone; others read them a little late.
final class Slot implements Runnable {
    private static final int BACKTRACE_LINES_MAX = 100;

    private final LeaseBuffer buffer;
    private final Runner runner;
    private final RetryPolicy policy;
    private final Settler settler;
    private final Admission admission;
    private final Counters counters;
    private final Listener listener;
    private final @Nullable RunTally tally;
    private final AtomicReference<@Nullable Lease> running = new AtomicReference<>();
    private volatile long startedNanos;
    private volatile String thread = "";
    private volatile @Nullable RunnerSlot session;

    Slot(Runner runner, Capsule.Parts parts, LeaseBuffer buffer, Counters counters) {
        this.buffer = buffer;
        this.runner = runner;
        this.policy = parts.policy();
        this.settler = parts.settler();
        this.admission = new Admission(parts, buffer);
        this.listener = parts.listener();
        this.tally = parts.tallies().open();
        this.counters = counters;
    }

    @Override
    public void run() {
        thread = Thread.currentThread().getName();
        try (RunnerSlot opened = runner.openSlot()) {
            session = opened;
            Lease lease = buffer.take();
            while (lease != null) {
                runOne(opened, lease);
                lease = buffer.take();
            }
        }
    }

    private void runOne(RunnerSlot opened, Lease lease) {
        long start = System.nanoTime();
        if (!admission.admits(lease, start)) {
            return;
        }
        startedNanos = start;
        running.set(lease);
        Outcome outcome = attempt(opened, lease);
        long end = System.nanoTime();
        Lease mine = running.getAndSet(null);
        if (mine != null) {
            settler.settle(mine, policy.decide(mine, outcome, opened));
        }
        if (tally != null) {
            tally.count(opened.jobName(), outcome, start, end);
        }
        // Last, so that a run which counts as ended is one that the settler knows of.
        counters.ended(end - start, outcome);
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
        return lease == null ? null : new Running(thread, lease, startedNanos);
    }

    /// Takes the running job away from the slot, so that its end settles nothing.
    @Nullable Lease takeAway() {
        return running.getAndSet(null);
    }

    /// Asks the job that runs to end.
    void interrupt() {
        RunnerSlot opened = session;
        if (opened != null) {
            opened.interrupt();
        }
    }
}
