package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.lifecycle.Service;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A pool of slots with its queues: a `Claimer` fills a buffer, slots take jobs out of it and run
/// them.
///
/// Whether it is quiet stands in one place: its buffer is closed then, for good.
///
/// Stopping: the claimer ends first and gives back what no slot has started; running jobs get the
/// stop's patience; what still runs then goes back to the head of its queue before its thread is
/// interrupted, so that it is never lost and, unless it ends in that instant, never settled twice.
/// While Redis is away, what is left of the patience goes to the outcomes.
public final class Capsule implements Service {
    /// How long interrupted jobs may take to run their `ensure` blocks.
    private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(3);

    /// How often to look whether a job that runs alone is stuck.
    private static final Duration ALONE_LOOK = Duration.ofSeconds(1);

    private volatile CapsuleSettings settings;
    private final String runner;
    private final CapsuleParts parts;
    private final LeaseBuffer buffer;
    private final Counters counters = new Counters();
    private final Slots slots;
    private final LimitWatch limits;
    private final Claimer claimer;
    private volatile Stage stage = Stage.NEW;

    private enum Stage {
        /// No slot was started.
        NEW,
        /// Its slots run what its claimer claims, or those of other capsules.
        CLAIMING,
        /// Its slots run one job at a time, each handed in by `runAlone`.
        ALONE
    }

    /// @param execution what runs its jobs
    public Capsule(CapsuleSettings settings, Execution execution, CapsuleParts parts) {
        this.settings = settings;
        this.runner = execution.runner();
        this.parts = parts;
        PayloadBudget payloads = parts.payloads();
        buffer =
                new LeaseBuffer(
                        switch (execution) {
                            case Execution.Threads _ -> payloads.ofThreads();
                            case Execution.Children _ -> payloads.ofChildren();
                        });
        Nap nap = new Nap();
        slots =
                switch (execution) {
                    case Execution.Threads by ->
                            new ThreadSlots(settings, by, parts.runs(), buffer, counters, nap);
                    case Execution.Children by ->
                            new ChildSlots(by, parts.runs(), buffer, counters, nap);
                };
        limits = new LimitWatch(slots, nap, parts.runs(), settings);
        claimer = new Claimer(settings, parts, buffer, counters, slots);
    }

    @Override
    public void start() {
        slots.start();
        limits.start();
        stage = Stage.CLAIMING;
        claimer.start();
    }

    /// Starts its slots alone: it claims nothing, what runs here comes by `runAlone`.
    public void startAlone() {
        slots.start();
        limits.start();
        stage = Stage.ALONE;
    }

    /// Leaves so many of its slots empty, since a process of older code runs jobs in them. To be
    /// called before `start`; from then on the number only falls.
    public void holdBack(int slots) {
        if (stage == Stage.NEW && slots > 0) {
            claimer.beModest();
        }
        this.slots.holdBack(Math.min(slots, settings.slots()));
    }

    /// How many of its slots run a job or are about to, once it is quiet and `awaitGivenBack` has
    /// returned.
    public int busy() {
        return stage == Stage.NEW ? 0 : slots.busy();
    }

    /// True when it is quiet, and nothing runs here any more.
    public boolean hasEnded() {
        return stage == Stage.NEW || slots.haveEnded();
    }

    /// Whether Redis has taken or refused the outcomes of all runs that have ended by now.
    public boolean hasSettled() {
        return stage == Stage.NEW || parts.runs().settler().awaitAnswers(Duration.ZERO);
    }

    /// Waits until it has given back what no slot has started, which it does once it is quiet.
    public void awaitGivenBack(Duration patience) {
        claimer.stop(patience);
    }

    /// Runs a job in a process in which nothing else runs, however long it takes. Returns early
    /// when this is quiet or the job is stuck.
    void runAlone(Lease lease) {
        buffer.add(List.of(lease));
        while (!isQuiet()
                && slots.stuck().threads() == 0
                && !buffer.awaitAllIdle(settings.slots(), ALONE_LOOK)) {
            // Until its run ends a crash counts against it alone, so nothing may run beside it.
        }
    }

    /// Serves these queues from now on, which may be none; what it holds of others stays its own.
    /// Not for one whose jobs come by `Routes`.
    public synchronized void serve(QueueOrder queues) {
        settings = settings.with(queues, settings.limits());
        claimer.serve(queues);
    }

    /// Limits its jobs like this from now on, those too that run, within a moment.
    public synchronized void limit(TimeLimits present) {
        settings = settings.with(settings.queues(), present);
        limits.follow(present);
    }

    /// Takes the jobs that name this runner from now on, whichever capsule claims them.
    public void takeFor(String runner) {
        parts.routes().open(runner, buffer);
    }

    /// Whether jobs that are routed to this buffer run here.
    boolean takesFrom(@Nullable LeaseBuffer target) {
        return buffer.equals(target);
    }

    /// Has this called when nothing runs here any more, within a moment and not for each job: under
    /// load never, else a few times per second at most. It must return at once. There is one such
    /// listener.
    public void onIdle(Runnable listener) {
        limits.onIdle(listener);
    }

    /// Stops claiming; jobs that no slot has started go back to their queue, running ones go on.
    /// Idempotent.
    public void quiet() {
        claimer.quiet();
    }

    @Override
    public void stop(Duration patience) {
        quiet();
        if (stage == Stage.NEW) {
            return;
        }
        long end = System.nanoTime() + patience.toNanos();
        slots.awaitEnd(patience);
        // Before running jobs go back, so that these, which are older, come to stand before the
        // rest.
        if (stage == Stage.ALONE) {
            claimer.giveBackRest();
        } else {
            claimer.stop(INTERRUPT_PATIENCE);
        }
        List<Lease> unfinished = slots.takeAway();
        if (!unfinished.isEmpty()) {
            parts.runs().settler().requeue(unfinished);
            parts.runs().settler().flush(INTERRUPT_PATIENCE);
            parts.runs().listener().on(new Event.StopRequeued(unfinished.size()));
            slots.interrupt();
            slots.awaitEnd(INTERRUPT_PATIENCE);
        }
        limits.stop();
        parts.runs().settler().awaitAnswers(Duration.ofNanos(end - System.nanoTime()));
    }

    /// Has what runs on this generation of the app's code or an older one go back to its queue, and
    /// its ends settle nothing. The caller has it end; until then it may run twice.
    public void requeueUpTo(int generation) {
        parts.runs().settler().requeue(slots.takeAwayUpTo(generation));
    }

    /// Reports to the app a job that is settled.
    void notifyApp(LateNews news) {
        slots.notifyApp(news);
    }

    public CapsuleSettings settings() {
        return settings;
    }

    /// What runs its jobs in one word, such as `jruby`.
    public String runner() {
        return runner;
    }

    CapsuleParts parts() {
        return parts;
    }

    /// Its queues that are not paused now.
    List<String> openQueues() {
        return claimer.openQueues().open();
    }

    public Counters counters() {
        return counters;
    }

    /// The jobs that run now.
    public List<Running> running() {
        return slots.running();
    }

    /// The processes that run its jobs, perhaps beside those of others; none where threads do.
    public Set<Long> pids() {
        return slots.pids();
    }

    /// The same processes, each looked at.
    public List<ChildState> children() {
        return slots.children();
    }

    /// Where a job is that runs here; empty when none runs in this slot. It may take seconds.
    ///
    /// @param slot see `Running.slot`
    public Optional<Stack> stack(String slot) {
        return slots.running().stream()
                .filter(running -> running.slot().equals(slot))
                .findFirst()
                .flatMap(slots::stack);
    }

    /// Threads that jobs hold which would not end.
    public Stuck stuck() {
        return slots.stuck();
    }

    /// True when nothing runs here but what is stuck, and nothing that was claimed waits.
    public boolean isIdle() {
        return buffer.isEmpty() && slots.running().isEmpty();
    }

    public boolean isQuiet() {
        return buffer.isClosed();
    }
}
