package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.ChildPool;
import dev.mawashi.event.Event;
import dev.mawashi.job.Cut;
import dev.mawashi.settle.JobNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Slots in Ruby processes, several a process. Each child has a `ChildFeed` that sends it jobs, and
/// `ChildJobs` that it was sent.
final class ChildSlots implements Slots, Lane {
    /// How long children may take to give back what they have not begun.
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(1);

    /// How long a job whose child died waits for another child to report its end to the app.
    private static final Duration ASK_PATIENCE = Duration.ofSeconds(10);

    private final Crew crew;
    private final int lane;
    private final ChildPool pool;
    private final RunParts parts;
    private final LeaseBuffer buffer;
    private final Nap nap;
    private final AloneChildren alone = new AloneChildren(this::runAlone);
    private final Berths berths;
    private final ChildSettling settling;

    /// One each child. Those of children that are gone leave when another is ready.
    private final List<ChildJobs> children = new CopyOnWriteArrayList<>();

    ChildSlots(
            Execution.Children by, RunParts parts, LeaseBuffer buffer, Counters counters, Nap nap) {
        crew = by.crew();
        lane = by.lane();
        pool = crew.pool();
        this.parts = parts;
        this.buffer = buffer;
        this.nap = nap;
        berths = new Berths(buffer, place -> pool.slots(lane, place));
        settling = new ChildSettling(parts, buffer, counters, lane, alone, this::livingChild);
        crew.join(lane, this, parts.listener());
    }

    @Override
    public void start() {
        crew.start();
    }

    @Override
    public ChildJobs jobs(int place, Neighbours beside) {
        return new ChildJobs(pool, parts, berths.intake(place), settling, beside);
    }

    @Override
    public void ready(Child child, ChildJobs jobs) {
        ChildFeed feed = open(child, jobs);
        Thread.ofPlatform().name("mawashi-feed-" + (child.number() + 1)).daemon().start(feed::feed);
    }

    private ChildFeed open(Child child, ChildJobs jobs) {
        jobs.open(child);
        children.removeIf(ChildJobs::isLost);
        children.add(jobs);
        return new ChildFeed(child, jobs, parts, buffer, nap);
    }

    /// Runs a job in a child of its own: should that die, it is this job's fault. The other
    /// children leave a slot empty meanwhile.
    private void runAlone(Lease suspect) {
        Berth lender = berths.borrow();
        if (lender == null) {
            settling.giveBack(List.of(suspect));
            return;
        }
        try {
            runInChildOfItsOwn(suspect);
        } finally {
            berths.giveBack(lender);
        }
    }

    private void runInChildOfItsOwn(Lease suspect) {
        AtomicReference<ChildJobs> jobs = new AtomicReference<>();
        try {
            Child child =
                    crew.forkAlone(
                            lane,
                            beside -> {
                                jobs.set(jobsAlone(beside));
                                return jobs.get();
                            });
            parts.listener().on(new Event.SuspectRuns(JobNames.of(suspect), 0));
            if (!open(child, jobs.get()).runAlone(suspect)) {
                settling.giveBack(List.of(suspect));
            }
        } catch (ChildFailure failure) {
            parts.listener().on(new Event.Defect("child for a suspect", failure));
            settling.giveBack(List.of(suspect));
        } finally {
            children.remove(jobs.get());
        }
    }

    private ChildJobs jobsAlone(Neighbours beside) {
        return new ChildJobs(pool, parts, new Intake(buffer, new Berth(1)), settling, beside);
    }

    /// Waits for one when all are dead; null when none comes.
    private @Nullable Child livingChild() {
        Crew.await(ASK_PATIENCE, () -> !all(ChildJobs::isLost));
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
        Crew.await(RETURN_PATIENCE, () -> all(ChildJobs::haveAnswered));
        buffer.putBack(alone.close());
    }

    @Override
    public void endRecall() {
        settling.endRecall();
    }

    @Override
    public void awaitEnd(Duration patience) {
        Crew.await(patience, this::haveEnded);
    }

    @Override
    public boolean haveEnded() {
        return buffer.isClosed() && settling.isDone() && all(one -> !one.holdsJobs());
    }

    @Override
    public int busy() {
        return children.stream().mapToInt(ChildJobs::busy).sum();
    }

    @Override
    public void holdBack(int slots) {
        berths.holdBack(slots);
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
    public Set<Long> pids() {
        return pool.children().stream().map(Child::pid).collect(Collectors.toSet());
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
        return takeAway(_ -> true);
    }

    @Override
    public List<Lease> takeAwayUpTo(int generation) {
        return takeAway(child -> child.generation() <= generation);
    }

    private List<Lease> takeAway(Predicate<Child> from) {
        List<Lease> all = new ArrayList<>();
        for (ChildJobs one : children) {
            if (one.child().filter(from).isPresent()) {
                all.addAll(one.takeAway());
            }
        }
        // In the order of claiming, in which they go back to their queue.
        all.sort(Comparator.comparingLong(Lease::token));
        return all;
    }

    @Override
    public void interrupt() {
        pool.children().forEach(child -> child.interrupt(lane));
    }
}
