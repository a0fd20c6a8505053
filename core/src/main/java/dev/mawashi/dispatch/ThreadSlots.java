package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Slots in this process, each with a thread of its own.
final class ThreadSlots implements Slots {
    /// Ruby code recurses deeper than Java's default stack allows.
    private static final long STACK_BYTES = 2 << 20;

    private final CapsuleSettings settings;
    private final boolean isVirtual;
    private final Capsule.Parts parts;
    private final List<Slot> slots;
    private final CountDownLatch slotsEnded;

    ThreadSlots(
            CapsuleSettings settings,
            Execution.Threads threads,
            Capsule.Parts parts,
            LeaseBuffer buffer,
            Counters counters) {
        this.settings = settings;
        isVirtual = threads.isVirtual();
        this.parts = parts;
        slotsEnded = new CountDownLatch(settings.slots());
        slots =
                Stream.generate(() -> new Slot(threads.runner(), parts, buffer, counters))
                        .limit(settings.slots())
                        .toList();
    }

    @Override
    public void start() {
        String name = settings.threadName("slot");
        Thread.Builder thread =
                isVirtual
                        ? Thread.ofVirtual().name(name, 1)
                        : Thread.ofPlatform().name(name, 1).stackSize(STACK_BYTES).daemon();
        for (Slot slot : slots) {
            thread.start(() -> run(slot));
        }
    }

    private void run(Slot slot) {
        try {
            slot.run();
        } catch (RuntimeException defect) {
            parts.listener().on(new Event.Defect("slot", defect));
        } finally {
            slotsEnded.countDown();
        }
    }

    @Override
    public void recall() {
        // A slot begins what it takes at once.
    }

    @Override
    public void awaitEnd(Duration patience) {
        try {
            slotsEnded.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean haveEnded() {
        return slotsEnded.getCount() == 0;
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
