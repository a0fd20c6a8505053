package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.execute.Runner;
import dev.mawashi.job.Cut;
import dev.mawashi.settle.JobNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Slots in this process, each with a thread of its own.
///
/// A thread cannot be ended from outside. One whose job does not let itself be ended is stuck, with
/// its slot. Up to a limit another takes its place; beyond that, once the job returns after all.
/// `ended` gets a permit for each place whose last thread has ended.
///
/// A slot that is held back has no thread yet, so that holding back costs nothing once it is over.
///
/// The JVM's `-Xss` says how deep a job may recurse, on virtual threads too: they run on the stacks
/// of their carriers.
final class ThreadSlots implements Slots {
    /// So many stuck threads are replaced; each costs memory and perhaps a core.
    private static final int REPLACED_MAX = 8;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final int places;
    private final Runner runner;
    private final RunParts parts;
    private final LeaseBuffer buffer;
    private final Counters counters;
    private final Nap nap;
    private final StuckJobs stuckJobs;
    private final StuckSlots stuckSlots;
    private final List<Slot> slots = new CopyOnWriteArrayList<>();
    private final Semaphore ended = new Semaphore(0);
    private final Thread.Builder threads;

    /// Places without a thread. Guarded by this for writing.
    private volatile int heldBack;

    private boolean isStarted;

    ThreadSlots(
            CapsuleSettings settings,
            Execution.Threads by,
            RunParts parts,
            LeaseBuffer buffer,
            Counters counters,
            Nap nap) {
        places = settings.slots();
        this.runner = by.by();
        this.parts = parts;
        this.buffer = buffer;
        this.counters = counters;
        this.nap = nap;
        stuckJobs = new StuckJobs(runner, parts, counters);
        stuckSlots = new StuckSlots(Math.min(REPLACED_MAX, places));
        String name = settings.threadName("slot");
        threads =
                by.isVirtual()
                        ? Thread.ofVirtual().name(name, 1)
                        : Thread.ofPlatform().name(name, 1).daemon();
    }

    @Override
    public synchronized void start() {
        isStarted = true;
        open(places - heldBack);
    }

    private void open(int count) {
        List<Slot> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            opened.add(new Slot(runner, parts, buffer, counters, nap));
        }
        slots.addAll(opened);
        opened.forEach(this::start);
    }

    @Override
    public synchronized void holdBack(int wanted) {
        int now = Math.clamp(wanted, 0, isStarted ? heldBack : places);
        int freed = heldBack - now;
        heldBack = now;
        if (isStarted) {
            open(freed);
        }
    }

    /// Places that have a thread, or had one.
    private int awaited() {
        return places - heldBack - stuckSlots.counted().unreplaced();
    }

    @Override
    public int busy() {
        return Math.max(0, awaited() - ended.availablePermits());
    }

    /// The builder numbers the threads, one after the other.
    private synchronized void start(Slot slot) {
        threads.start(() -> run(slot));
    }

    private void add() {
        Slot slot = new Slot(runner, parts, buffer, counters, nap);
        slots.add(slot);
        start(slot);
    }

    private void run(Slot slot) {
        try {
            slot.run();
        } catch (RuntimeException defect) {
            parts.listener().on(new Event.Defect("slot", defect));
        } finally {
            leave(slot);
        }
    }

    private void leave(Slot slot) {
        slot.leave(parts.tallies());
        Optional<Boolean> isReplaced = stuckSlots.remove(slot);
        if (isReplaced.isEmpty()) {
            ended.release();
        } else if (!isReplaced.get()) {
            add();
        }
    }

    @Override
    public void recall() {
        // A slot begins what it takes at once.
    }

    @Override
    public void reconsider() {
        // As above: what waits is looked at when it is taken.
    }

    @Override
    public void cut(Lease lease, Cut cut) {
        slots.forEach(slot -> slot.cut(lease, cut));
    }

    @Override
    public void end(Lease lease, Cut cut) {
        for (Slot slot : slots) {
            Optional<Boolean> isReplaced = stuckSlots.add(slot, lease);
            if (isReplaced.isPresent()) {
                leaveStuck(slot, lease, cut, isReplaced.get());
                return;
            }
        }
    }

    private void leaveStuck(Slot slot, Lease lease, Cut cut, boolean isReplaced) {
        slots.remove(slot);
        Running held = slot.described(lease);
        stuckJobs.settle(lease, cut, System.nanoTime() - held.startedNanos());
        if (isReplaced) {
            add();
        }
        parts.listener()
                .on(
                        new Event.SlotStuck(
                                held.thread(),
                                JobNames.of(lease),
                                stuckSlots.counted().threads(),
                                isReplaced));
    }

    @Override
    public void notifyApp(LateNews news) {
        stuckJobs.notifyApp(news);
    }

    @Override
    public Stuck stuck() {
        return stuckSlots.counted();
    }

    @Override
    public void awaitEnd(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            // Places may come meanwhile that are held back no longer.
            for (long left = end - System.nanoTime();
                    !haveEnded() && left > 0;
                    left = end - System.nanoTime()) {
                int awaited = awaited();
                if (ended.tryAcquire(awaited, left, TimeUnit.NANOSECONDS)) {
                    ended.release(awaited);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        while (!stuckJobs.isDone() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public boolean haveEnded() {
        return ended.availablePermits() >= awaited();
    }

    @Override
    public List<Running> running() {
        List<Running> all = new ArrayList<>();
        for (Slot slot : slots) {
            Running one = slot.running();
            if (one != null) {
                all.add(one);
            }
        }
        return all;
    }

    @Override
    public Optional<Stack> stack(Running running) {
        return slots.stream().flatMap(slot -> slot.stack(running).stream()).findFirst();
    }

    @Override
    public List<Lease> takeAway() {
        List<Lease> unfinished = new ArrayList<>();
        for (Slot slot : slots) {
            Lease lease = slot.takeAway();
            if (lease != null) {
                unfinished.add(lease);
            }
        }
        return unfinished;
    }

    @Override
    public void interrupt() {
        slots.forEach(Slot::interrupt);
    }
}
