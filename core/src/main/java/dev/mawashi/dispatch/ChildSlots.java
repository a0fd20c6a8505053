package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.ChildListener;
import dev.mawashi.children.ChildPool;
import dev.mawashi.event.Event;
import dev.mawashi.job.Cut;
import dev.mawashi.settle.JobNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Slots in Ruby processes, several a process. Each child has a `ChildFeed` that sends it jobs, and
/// `ChildJobs` that it was sent.
final class ChildSlots implements Slots, ChildPool.User {
    /// How long children may take to give back what they have not begun.
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(1);

    /// How long a job whose child died waits for another child to tell the app of its end.
    private static final Duration ASK_PATIENCE = Duration.ofSeconds(10);

    private static final long LOOK_NANOS = Duration.ofMillis(2).toNanos();

    private final ChildPool pool;
    private final RunParts parts;
    private final LeaseBuffer buffer;
    private final Nap nap;
    private final AloneChildren alone = new AloneChildren(this::runAlone);
    private final ChildSettling settling;

    /// One each child. Those of children that are gone leave when another is ready.
    private final List<ChildJobs> children = new CopyOnWriteArrayList<>();

    ChildSlots(ChildPool pool, RunParts parts, LeaseBuffer buffer, Counters counters, Nap nap) {
        this.pool = pool;
        this.parts = parts;
        this.buffer = buffer;
        this.nap = nap;
        settling = new ChildSettling(parts, buffer, counters, alone, this::livingChild);
    }

    @Override
    public void start() {
        pool.start(this);
    }

    @Override
    public ChildListener listener(int number) {
        return jobs();
    }

    private ChildJobs jobs() {
        return new ChildJobs(pool, parts, new Intake(buffer, pool.threads()), settling);
    }

    @Override
    public void ready(Child child, ChildListener listener) {
        ChildFeed feed = open(child, (ChildJobs) listener);
        Thread.ofPlatform().name("mawashi-feed-" + (child.number() + 1)).daemon().start(feed::feed);
    }

    private ChildFeed open(Child child, ChildJobs jobs) {
        jobs.open(child);
        children.removeIf(ChildJobs::isLost);
        children.add(jobs);
        return new ChildFeed(child, jobs, parts, buffer, nap);
    }

    @Override
    public void leave(Child child, ChildListener listener, String why) {
        parts.listener().on(new Event.ChildRecycled(child.pid(), why));
        ChildJobs jobs = (ChildJobs) listener;
        jobs.leave();
        child.recall();
        // Its successor is to begin these first.
        await(RETURN_PATIENCE, jobs::haveReturned);
    }

    /// Runs a job in a child of its own: should that die, it is this job's fault.
    private void runAlone(Lease suspect) {
        ChildJobs jobs = jobs();
        try {
            Child child = pool.forkAlone(jobs);
            parts.listener().on(new Event.SuspectRuns(JobNames.of(suspect), 0));
            if (!open(child, jobs).runAlone(suspect)) {
                settling.giveBack(List.of(suspect));
            }
        } catch (ChildFailure failure) {
            parts.listener().on(new Event.Defect("child for a suspect", failure));
            settling.giveBack(List.of(suspect));
        } finally {
            children.remove(jobs);
        }
    }

    /// Waits for one when all are dead; null when none comes.
    private @Nullable Child livingChild() {
        await(ASK_PATIENCE, () -> !all(ChildJobs::isLost));
        return children.stream()
                .filter(one -> !one.isLost())
                .flatMap(one -> one.child().stream())
                .findFirst()
                .orElse(null);
    }

    @Override
    public void notifyApp(LateNews news) {
        settling.notifyApp(news);
    }

    @Override
    public void recall() {
        pool.children().forEach(Child::recall);
        await(RETURN_PATIENCE, () -> all(one -> one.isLost() || !one.haveUnbegun()));
        buffer.putBack(alone.close());
        settling.endRecall();
    }

    @Override
    public void awaitEnd(Duration patience) {
        await(patience, this::haveEnded);
    }

    private static void await(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public boolean haveEnded() {
        return buffer.isClosed() && settling.isDone() && all(one -> !one.areOpen());
    }

    private boolean all(Predicate<ChildJobs> condition) {
        for (ChildJobs one : children) {
            if (!condition.test(one)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<Running> running() {
        return children.stream().flatMap(one -> one.running().stream()).toList();
    }

    @Override
    public int childCount() {
        return pool.children().size();
    }

    @Override
    public List<ChildState> children() {
        return children.stream()
                .filter(one -> !one.isLost())
                .flatMap(one -> one.state().stream())
                .toList();
    }

    @Override
    public Optional<Stack> stack(Running running) {
        return children.stream().flatMap(one -> one.stack(running).stream()).findFirst();
    }

    @Override
    public void reconsider() {
        children.forEach(ChildJobs::reconsider);
    }

    @Override
    public void cut(Lease lease, Cut cut) {
        children.forEach(one -> one.cut(lease, cut));
    }

    @Override
    public void end(Lease lease, Cut cut) {
        children.forEach(one -> one.end(lease, cut));
    }

    @Override
    public List<Lease> takeAway() {
        List<Lease> all = new ArrayList<>();
        children.forEach(one -> all.addAll(one.takeAway()));
        // In the order of claiming, in which they go back to their queue.
        all.sort(Comparator.comparingLong(Lease::token));
        return all;
    }

    @Override
    public void interrupt() {
        pool.children().forEach(Child::interrupt);
    }
}
