package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildPool;
import dev.mawashi.children.Noted;
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
import org.jspecify.annotations.Nullable;

/// The jobs of one capsule that one child was sent: hands each to `ChildSettling` when the child
/// reports it, gives it back, or dies. Those of other capsules that the child has stand beside them
/// in its `Company`.
///
/// Whoever takes a job out of `held` settles it: the child's reading thread when its outcome comes,
/// or the capsule's stop.
final class ChildJobs {
    /// How long after the end of a lease a child is taken to have seen it.
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(1);

    /// How long it may take to say where a job is: while that computes, another thread of Ruby
    /// waits for its turn.
    private static final Duration TRACE_PATIENCE = Duration.ofSeconds(2);

    private final Intake intake;
    private final Neighbours beside;
    private final ChildSettling settling;
    private final Pace pace;
    private final HeldJobs held = new HeldJobs();
    private final CutJobs cuts;
    private final CompletableFuture<Child> child = new CompletableFuture<>();
    private final ChildTally tally;

    /// Runs that have ended and of which the child may still be asked.
    private final AtomicInteger asking = new AtomicInteger();

    /// Only `reach` writes it, under the lock of this. It is read without: whoever makes the child
    /// leave writes it before it looks until when the child may begin jobs, and whoever sends jobs
    /// reads it after it has noted that. One of the two sees the other.
    private volatile Stage stage = Stage.TAKING;

    /// The stage of the child's life. It never goes back.
    private enum Stage {
        /// It gets jobs, from when it is ready.
        TAKING,
        /// It gets no more, and is to give back what it has not begun.
        LEAVING,
        /// It has given that back, and ends when what it runs has.
        RETURNED,
        /// It is gone.
        LOST
    }

    /// @param beside what else the child runs
    ChildJobs(
            ChildPool pool,
            RunParts parts,
            Intake intake,
            ChildSettling settling,
            Neighbours beside) {
        this.intake = intake;
        this.settling = settling;
        this.beside = beside;
        pace = new Pace(intake);
        cuts = new CutJobs(pool, held, intake, beside);
        tally = new ChildTally(parts.tallies(), pool.runner());
    }

    /// Jobs may be sent from now on.
    void open(Child ready) {
        tally.open();
        child.complete(ready);
    }

    /// The child that has them, once that is ready.
    Optional<Child> child() {
        return Optional.ofNullable(child.getNow(null));
    }

    Intake intake() {
        return intake;
    }

    Pace pace() {
        return pace;
    }

    /// Takes a job in.
    ///
    /// @return what the child is sent of it
    Child.Job hold(Lease lease) {
        return held.add(settling.nextId(), lease);
    }

    /// Until when the child may begin what it is sent next, and what it has.
    void leaseUntil(long until) {
        beside.leaseUntil(until);
    }

    /// Another child takes this one's place: it gets no more jobs, and ends when those that it runs
    /// have.
    void leave() {
        reach(Stage.LEAVING);
        intake.close();
    }

    private synchronized void reach(Stage next) {
        if (stage.compareTo(next) < 0) {
            stage = next;
        }
    }

    /// True when a child that leaves has given back what it has not begun, or is gone.
    boolean haveReturned() {
        return stage.compareTo(Stage.RETURNED) >= 0;
    }

    /// See `ChildListener`.
    void done(LongBuffer idsAndNanos) {
        int count = idsAndNanos.remaining() / 2;
        List<Lease> done = new ArrayList<>(count);
        long nanos = 0;
        while (idsAndNanos.hasRemaining()) {
            long id = idsAndNanos.get();
            HeldJobs.Held job = held.take(id);
            Cut _ = cuts.forget(id);
            long run = idsAndNanos.get();
            nanos += run;
            if (job != null) {
                done.add(job.lease());
                tally.count(job.jobClass(), Outcome.SUCCEEDED, run);
                settling.trace(job.lease(), run, Outcome.SUCCEEDED);
            }
        }
        settling.succeeded(done, count, nanos);
        intake.free(done);
        pace.learn(count, nanos);
    }

    /// See `ChildListener`.
    void ended(long id, long nanos, Outcome outcome, boolean hadClass) {
        // Before it is held no more, or the child could be ended in between.
        asking.incrementAndGet();
        HeldJobs.Held job = held.take(id);
        Cut cut = cuts.forget(id);
        if (job == null) {
            asking.decrementAndGet();
            settling.endedLate(nanos, outcome);
            return;
        }
        Outcome judged = cut == null ? outcome : cut.over(outcome);
        tally.count(hadClass ? job.jobClass() : null, judged, nanos);
        intake.free(List.of(job.lease()));
        pace.learn(1, nanos);
        boolean isSeen = !ChildSettling.isDeath(outcome);
        ChildSettling.Ended run = new ChildSettling.Ended(id, nanos, job.lease(), judged, isSeen);
        settling.decide(run, child::join, asking::decrementAndGet);
    }

    /// See `ChildListener`.
    void returned(long[] ids) {
        giveBack(ids);
        if (!takesMore()) {
            reach(Stage.RETURNED);
        }
    }

    /// By itself a child begins nothing any more once the lease is over under which it was sent its
    /// last jobs, and before it begins a job it notes it. So what stands in no note after that time
    /// can run elsewhere, whether the child goes on or not.
    void silent(Child silent) {
        leave();
        if (System.nanoTime() - beside.leasedUntil() > LEASE_MARGIN.toNanos()) {
            Set<Long> begun = silent.begun();
            if (begun != null) {
                giveBack(held.without(begun));
            }
        }
    }

    /// These were not begun, and will not be here.
    void giveBack(long[] ids) {
        List<Lease> unbegun = new ArrayList<>(ids.length);
        for (long id : ids) {
            HeldJobs.Held job = held.take(id);
            Cut _ = cuts.forget(id);
            if (job != null) {
                unbegun.add(job.lease());
            }
        }
        if (!unbegun.isEmpty()) {
            intake.free(unbegun);
            settling.giveBack(unbegun);
        }
    }

    @Nullable String jid(long id) {
        return held.jid(id);
    }

    /// The child is gone.
    ///
    /// @param late takes those of its jobs for which it was killed
    /// @return what becomes of its jobs, which `died` sees to
    HeldJobs.Fates lost(@Nullable Noted noted, IdentityHashMap<Lease, Cut> late) {
        reach(Stage.LOST);
        intake.end();
        if (noted != null) {
            // What had ended well and was not reported is done, and must not run again.
            LongBuffer untold = held.untold(noted.done());
            if (untold.hasRemaining()) {
                done(untold);
            }
        }
        cuts.addLate(late);
        tally.close();
        return held.fates(noted == null ? null : noted.begun());
    }

    void died(HeldJobs.Fates fates, ChildSettling.Crash crash) {
        settling.died(fates, crash);
    }

    /// Why the server kills the child, in words; empty when it does not.
    Optional<String> killReason() {
        return cuts.killReason();
    }

    /// The child has none of these jobs any more, and gets no more.
    void areDrained() {
        beside.isDrained();
    }

    void reconsider() {
        child().ifPresent(cuts::recallUnbegun);
    }

    void cut(Lease lease, Cut cut) {
        child().ifPresent(one -> cuts.ask(one, lease, cut));
    }

    void end(Lease lease, Cut cut) {
        child().ifPresent(one -> cuts.end(one, lease, cut));
    }

    List<Running> running() {
        return child().map(one -> held.first(intake.slots(), one.pid())).orElse(List.of());
    }

    /// The child as it is now; empty when it is not ready.
    Optional<ChildState> state() {
        return child().map(one ->
                new ChildState(
                        one.pid(),
                        one.generation(),
                        !takesMore() || one.isEnding(),
                        one.isStopped(),
                        Math.min(held.size(), intake.slots()),
                        intake.slots(),
                        one.startedAt()));
    }

    /// Where a job is that it runs; empty when it does not run it, or says nothing.
    Optional<Stack> stack(Running running) {
        OptionalLong id = held.id(running.lease());
        if (id.isEmpty() || child().isEmpty()) {
            return Optional.empty();
        }
        return child().get().backtraces(id.getAsLong(), TRACE_PATIENCE).stream()
                .findFirst()
                .map(trace ->
                        new Stack(
                                running.in(trace.pid()),
                                trace.text().lines().toList(),
                                List.of(),
                                ""));
    }

    List<Lease> takeAway() {
        return held.cut();
    }

    /// True when the child was given more than it runs, as far as can be seen from here.
    boolean haveUnbegun() {
        return held.size() > intake.slots();
    }

    /// Whether nothing is to come back of what the child was given, as far as can be seen from
    /// here.
    boolean haveAnswered() {
        return isLost() || (!haveUnbegun() && child().filter(Child::isRecalled).isEmpty());
    }

    /// How many of its slots run a job or are about to.
    int busy() {
        return isLost() ? 0 : intake.busy();
    }

    /// True while the child has a job, or may be asked about one.
    boolean holdsJobs() {
        return !isLost() && (held.isBusy() || asking.get() > 0);
    }

    boolean isLost() {
        return stage == Stage.LOST;
    }

    /// False when the child gets no more jobs.
    boolean takesMore() {
        return stage == Stage.TAKING;
    }
}
