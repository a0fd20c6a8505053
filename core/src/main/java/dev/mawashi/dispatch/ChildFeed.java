package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Takes jobs from the buffer and sends them to one child, on a thread of its own. `ChildJobs` has
/// them from then on. A job that arrives for an idle child is sent by the thread that brings it.
final class ChildFeed {
    /// How long a child may sit on jobs without ending one before it must give back what it has not
    /// begun.
    private static final Duration NONE_ENDED_MAX = Duration.ofMillis(100);

    private static final long DRAIN_LOOK_NANOS = Duration.ofMillis(50).toNanos();

    private final Child child;
    private final ChildJobs jobs;
    private final RunParts parts;
    private final LeaseBuffer buffer;
    private final Nap nap;
    private final Admission admission;

    /// Whose jobs the child gets. Guarded by this.
    private String owner;

    /// @param nap ended each time that jobs are sent
    ChildFeed(Child child, ChildJobs jobs, RunParts parts, LeaseBuffer buffer, Nap nap) {
        this.child = child;
        this.jobs = jobs;
        this.parts = parts;
        this.buffer = buffer;
        this.nap = nap;
        admission = new Admission(parts, buffer);
        owner = parts.epoch().owner();
    }

    /// Feeds the child until it ends, is to be replaced, or the buffer closes.
    void feed() {
        Intake intake = jobs.intake();
        Pace pace = jobs.pace();
        intake.open(this::sendAtOnce);
        long seen = -1;
        while (jobs.takesMore() && !buffer.isClosed()) {
            boolean hasSent = sendNext(intake);
            if (!hasSent && seen == pace.ended() && jobs.haveUnbegun()) {
                pace.distrust();
                if (!child.isRecalled()) {
                    child.recall();
                }
            }
            seen = pace.ended();
        }
        // Again: the child was perhaps gone before it was open.
        intake.close();
        if (jobs.isLost()) {
            intake.end();
        }
        if (!jobs.takesMore()) {
            child.recall();
            endOnceNothingIsHeld();
        }
    }

    /// A method of its own: while it waits no frame of this thread holds the jobs before, which may
    /// be large.
    private boolean sendNext(Intake intake) {
        List<Lease> leases = intake.take(NONE_ENDED_MAX);
        recallFenced();
        if (!leases.isEmpty()) {
            send(leases);
        }
        return !leases.isEmpty();
    }

    /// Others run now what it was sent under an old name; what it gets from now on follows this.
    private synchronized void recallFenced() {
        String present = parts.epoch().owner();
        if (!present.equals(owner)) {
            owner = present;
            child.recall();
        }
    }

    private void sendAtOnce(Lease lease) {
        recallFenced();
        send(List.of(lease));
    }

    /// Runs one job in a child that takes nothing else, and ends that child.
    ///
    /// @return false when it was not sent, since the capsule is quiet
    boolean runAlone(Lease suspect) {
        boolean isSent = !buffer.isClosed();
        if (isSent) {
            send(List.of(suspect));
        }
        endOnceNothingIsHeld();
        return isSent;
    }

    private void endOnceNothingIsHeld() {
        while (jobs.holdsJobs()) {
            LockSupport.parkNanos(DRAIN_LOOK_NANOS);
        }
        if (!jobs.isLost()) {
            jobs.areDrained();
        }
    }

    private void send(List<Lease> leases) {
        long now = System.nanoTime();
        List<Child.Job> sent = new ArrayList<>(leases.size());
        List<Lease> refused = new ArrayList<>();
        for (Lease lease : leases) {
            if (admission.admits(lease, now)) {
                sent.add(jobs.hold(lease));
            } else {
                refused.add(lease);
            }
        }
        if (!refused.isEmpty()) {
            jobs.intake().free(refused);
        }
        long until = parts.epoch().leasedUntil();
        // Before it is seen whether the child leaves: whoever makes it leave relies on it.
        jobs.leaseUntil(until);
        if (!jobs.takesMore()) {
            // What it held was perhaps seen to in between, without these.
            jobs.giveBack(sent.stream().mapToLong(Child.Job::id).toArray());
        } else if (!sent.isEmpty()) {
            nap.end();
            child.run(sent, until);
        }
    }
}
