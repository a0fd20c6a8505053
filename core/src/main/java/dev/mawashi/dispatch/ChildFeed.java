package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildEnd;
import dev.mawashi.children.ChildListener;
import dev.mawashi.children.Noted;
import dev.mawashi.event.Event;
import dev.mawashi.job.Cut;
import dev.mawashi.job.Outcome;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The jobs that one child holds: takes them from the buffer, sends them, has their outcomes
/// settled, and sees to them when the child dies.
///
/// Whoever takes a job out of `held` settles it: the child's reading thread when its outcome comes,
/// or the capsule's stop.
///
/// Of `cuts`, one that is overdue has the child killed, and what becomes of its jobs is decided
/// when it is gone, since until then any may still end well.
final class ChildFeed implements ChildListener {
    /// How long a child may sit on jobs without ending one before it must give back what it has not
    /// begun.
    private static final Duration STUCK = Duration.ofMillis(100);

    /// How long a child that leaves may take to give back what it has not begun.
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(1);

    /// How long after the end of a lease a child is taken to have seen it.
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(1);

    private static final long DRAIN_LOOK_NANOS = Duration.ofMillis(50).toNanos();

    private final ChildSlots slots;
    private final RunParts parts;
    private final LeaseBuffer buffer;
    private final Counters counters;
    private final Admission admission;
    private final Intake intake;
    private final Pace pace;
    private final HeldJobs held = new HeldJobs();
    private final CutJobs cuts = new CutJobs();
    private final CompletableFuture<Child> child = new CompletableFuture<>();
    private final ChildTally tally;

    /// Runs that have ended and of which the child may still be asked.
    private final AtomicInteger asking = new AtomicInteger();

    /// Whose jobs the child gets; the feeding thread's.
    private String owner;

    /// Until when it may begin what it was sent.
    private volatile long leasedUntil = System.nanoTime();

    private volatile boolean isLeaving;
    private volatile boolean hasReturned;
    private volatile boolean isLost;
    private volatile long endedCount;

    ChildFeed(ChildSlots slots, RunParts parts, LeaseBuffer buffer, Counters counters) {
        this.slots = slots;
        this.parts = parts;
        this.buffer = buffer;
        this.counters = counters;
        admission = new Admission(parts, buffer);
        tally = new ChildTally(parts.tallies());
        intake = new Intake(buffer, slots.threads());
        pace = new Pace(slots.threads());
        owner = parts.epoch().owner();
    }

    /// Jobs may come from now on.
    void open(Child ready) {
        tally.open();
        child.complete(ready);
        intake.open();
        if (isLost) {
            intake.close();
            tally.close();
        }
    }

    /// The child that it feeds, once that is ready.
    Child child() {
        return child.join();
    }

    /// Feeds the child until it ends, is to be replaced, or the buffer closes.
    void feed(Child ready) {
        long seen = -1;
        while (!isLost && !isLeaving && !buffer.isClosed()) {
            List<Lease> leases = intake.take(STUCK);
            recallFenced(ready);
            if (!leases.isEmpty()) {
                send(ready, leases);
            } else if (seen == endedCount && held.size() > slots.threads()) {
                pace.distrust();
                intake.lead(0);
                if (!ready.isRecalled()) {
                    ready.recall();
                }
            }
            seen = endedCount;
        }
        if (isLeaving) {
            drain(ready);
        }
    }

    /// Others run now what it was sent under an old name; what it gets from now on follows this.
    private void recallFenced(Child ready) {
        String present = parts.epoch().owner();
        if (!present.equals(owner)) {
            owner = present;
            ready.recall();
        }
    }

    /// Another child takes its place: it gets no more jobs, and ends when those that it runs have.
    /// Waits until it has given back what it has not begun, which its successor is to begin first.
    void leave() {
        isLeaving = true;
        intake.close();
        child().recall();
        ChildSlots.await(RETURN_PATIENCE, () -> hasReturned || isLost);
    }

    private void drain(Child ready) {
        ready.recall();
        endOnceNothingIsHeld(ready);
    }

    /// Runs one job in a child that takes nothing else, and ends that child.
    void runAlone(Child ready, Lease suspect) {
        tally.open();
        child.complete(ready);
        if (buffer.isClosed()) {
            slots.giveBack(List.of(suspect));
        } else {
            send(ready, List.of(suspect));
        }
        endOnceNothingIsHeld(ready);
        tally.close();
    }

    private void endOnceNothingIsHeld(Child ready) {
        while ((held.isBusy() || asking.get() > 0) && !isLost) {
            LockSupport.parkNanos(DRAIN_LOOK_NANOS);
        }
        if (!isLost) {
            ready.end();
        }
    }

    private void send(Child ready, List<Lease> leases) {
        long now = System.nanoTime();
        List<Child.Job> jobs = new ArrayList<>(leases.size());
        List<Lease> refused = new ArrayList<>();
        for (Lease lease : leases) {
            if (admission.admits(lease, now)) {
                jobs.add(held.add(slots.nextId(), lease));
            } else {
                refused.add(lease);
            }
        }
        if (!refused.isEmpty()) {
            intake.free(refused);
        }
        long until = parts.epoch().leasedUntil();
        // Before it is seen whether the child leaves: whoever makes it leave relies on it.
        leasedUntil = until;
        if (isLost || isLeaving) {
            // What it held was perhaps seen to in between, without these.
            giveBack(jobs.stream().mapToLong(Child.Job::id).toArray());
        } else if (!jobs.isEmpty()) {
            slots.run(ready, jobs, until);
        }
    }

    @Override
    public void done(LongBuffer idsAndNanos) {
        int count = idsAndNanos.remaining() / 2;
        List<Lease> done = new ArrayList<>(count);
        long nanos = 0;
        while (idsAndNanos.hasRemaining()) {
            long id = idsAndNanos.get();
            HeldJobs.Held job = held.take(id);
            forget(id);
            long run = idsAndNanos.get();
            nanos += run;
            if (job != null) {
                done.add(job.lease());
                tally.count(job.jobClass(), Outcome.SUCCEEDED, run);
            }
        }
        parts.settler().acknowledge(done);
        slots.forget(done);
        counters.succeeded(count, nanos);
        intake.free(done);
        learn(count, nanos);
    }

    private void learn(int jobs, long nanos) {
        long before = endedCount;
        endedCount = before + jobs;
        if (pace.learn(jobs, nanos)) {
            intake.lead(pace.ahead());
        }
    }

    @Override
    public void ended(long id, long nanos, Outcome outcome) {
        // Before it is held no more, or the child could be ended in between.
        asking.incrementAndGet();
        HeldJobs.Held job = held.take(id);
        Cut cut = forget(id);
        if (job == null) {
            asking.decrementAndGet();
            counters.ended(nanos, outcome);
            return;
        }
        Outcome judged = cut == null ? outcome : cut.over(outcome);
        tally.count(job.jobClass(), judged, nanos);
        intake.free(List.of(job.lease()));
        learn(1, nanos);
        boolean isSeen = !ChildSlots.isDeath(outcome);
        ChildSlots.Ended run = new ChildSlots.Ended(id, nanos, job.lease(), judged, isSeen);
        slots.decide(run, child::join, asking::decrementAndGet);
    }

    @Override
    public void returned(long[] ids) {
        giveBack(ids);
        hasReturned = isLeaving;
    }

    /// By itself a child begins nothing any more once the lease is over under which it was sent its
    /// last jobs, and before it begins a job it notes it. So what stands in no note after that time
    /// can run elsewhere, whether the child goes on or not.
    @Override
    public void silent(Child silent) {
        isLeaving = true;
        intake.close();
        if (System.nanoTime() - leasedUntil > LEASE_MARGIN.toNanos()) {
            Set<Long> begun = silent.begun();
            if (begun != null) {
                giveBack(held.without(begun));
            }
        }
    }

    private void giveBack(long[] ids) {
        List<Lease> unbegun = new ArrayList<>(ids.length);
        for (long id : ids) {
            HeldJobs.Held job = held.take(id);
            forget(id);
            if (job != null) {
                unbegun.add(job.lease());
            }
        }
        if (!unbegun.isEmpty()) {
            intake.free(unbegun);
            slots.giveBack(unbegun);
        }
    }

    @Override
    public @Nullable String jid(long id) {
        return held.jid(id);
    }

    @Override
    public void lost(ChildEnd end, @Nullable Noted noted) {
        isLost = true;
        intake.close();
        if (noted != null) {
            settleUntold(noted);
        }
        IdentityHashMap<Lease, Cut> late = cuts.late(held);
        HeldJobs.Fates fates = held.fates(noted == null ? null : noted.begun());
        slots.giveBack(fates.unharmed());
        tell(end, fates.running().size());
        tally.close();
        if (late.isEmpty()) {
            slots.crashed(this, fates.running(), end);
        } else {
            slots.killed(this, fates.running(), late);
        }
    }

    /// What had ended well and was not told is done, and must not run again.
    private void settleUntold(Noted noted) {
        LongBuffer untold = held.untold(noted.done());
        if (untold.hasRemaining()) {
            done(untold);
        }
    }

    private void tell(ChildEnd end, int jobs) {
        Child dead = child.getNow(null);
        if (dead != null && !dead.isEnding()) {
            String how = cuts.killReason().orElseGet(end::describe);
            parts.listener().on(new Event.ChildLost(dead.pid(), how, jobs));
        }
    }

    /// Has what the child has not begun come back, to be looked at again.
    void reconsider() {
        if (held.size() > slots.threads()) {
            ready().ifPresent(Child::recall);
        }
    }

    private Optional<Child> ready() {
        return Optional.ofNullable(child.getNow(null));
    }

    /// Asks a job to end. Meanwhile the child gets no others: should it have to be killed, they
    /// would have to run again.
    void cut(Lease lease, Cut cut) {
        OptionalLong id = held.id(lease);
        if (id.isPresent()) {
            // Before it is noted: whoever takes the last note out ends the rest.
            intake.rest(true);
            if (cuts.ask(id.getAsLong(), cut)) {
                reconsider();
            }
            ready().ifPresent(ready -> ready.cut(id.getAsLong(), cut));
            if (held.id(lease).isEmpty()) {
                // It ended in between, and its end has perhaps not seen that it was asked to.
                Cut _ = forget(id.getAsLong());
            }
        }
    }

    private @Nullable Cut forget(long id) {
        Cut cut = cuts.forget(id);
        if (cut != null && cuts.areOver()) {
            intake.rest(false);
        }
        return cut;
    }

    /// Kills the child, since this job does not end.
    void end(Lease lease, Cut cut) {
        OptionalLong id = held.id(lease);
        if (id.isPresent()) {
            boolean isFirst = cuts.noteOverdue(id.getAsLong(), cut);
            ready().ifPresent(ready -> slots.kill(ready, id.getAsLong(), isFirst));
        }
    }

    void recall() {
        ready().ifPresent(Child::recall);
    }

    /// True when no job is held that was not begun, as far as can be told from here.
    boolean isRecalled() {
        return isLost || held.size() <= slots.threads();
    }

    List<Running> running() {
        return ready().map(one -> held.first(slots.threads(), "child " + one.pid()))
                .orElse(List.of());
    }

    List<Lease> takeAway() {
        return held.cut();
    }

    void interrupt() {
        ready().ifPresent(Child::interrupt);
    }

    boolean isLost() {
        return isLost;
    }

    boolean isBusy() {
        return !isLost && held.isBusy();
    }
}
