package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.util.IdentityHashMap;
import java.util.Optional;

/// The slots of a capsule that are stuck with jobs that would not end. Safe for any thread: that a
/// slot is stuck and that its thread comes back after all exclude one another.
final class StuckSlots {
    private final int replacedMax;

    /// With the slots, whether each is replaced.
    private final IdentityHashMap<Slot, Boolean> slots = new IdentityHashMap<>();

    /// @param replacedMax so many of them are replaced at a time
    StuckSlots(int replacedMax) {
        this.replacedMax = replacedMax;
    }

    /// Takes a job away from the slot that runs it, for good.
    ///
    /// @return whether the slot is to be replaced; empty when the job has ended meanwhile
    synchronized Optional<Boolean> add(Slot slot, Lease lease) {
        if (!slot.markStuck(lease)) {
            return Optional.empty();
        }
        boolean isReplaced = replaced() < replacedMax;
        slots.put(slot, isReplaced);
        return Optional.of(isReplaced);
    }

    /// The slot's thread is done with it.
    ///
    /// @return whether another has taken its place; empty when it was not stuck
    synchronized Optional<Boolean> remove(Slot slot) {
        return Optional.ofNullable(slots.remove(slot));
    }

    private int replaced() {
        return (int) slots.values().stream().filter(isReplaced -> isReplaced).count();
    }

    synchronized Stuck counted() {
        return new Stuck(slots.size(), replaced());
    }
}
