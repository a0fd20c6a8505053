package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.util.IdentityHashMap;
import java.util.Optional;

/// The slots of a capsule whose threads are held by jobs that would not end. Safe for any thread:
/// that a slot is lost and that its thread comes back after all exclude one another.
final class LostSlots {
    private final int replacedMax;

    /// With the slots, whether each is replaced.
    private final IdentityHashMap<Slot, Boolean> lost = new IdentityHashMap<>();

    /// @param replacedMax so many lost threads are replaced at a time
    LostSlots(int replacedMax) {
        this.replacedMax = replacedMax;
    }

    /// Takes a job away from the slot that runs it, for good.
    ///
    /// @return whether the slot is to be replaced; empty when the job has ended meanwhile
    synchronized Optional<Boolean> lose(Slot slot, Lease lease) {
        if (!slot.giveUp(lease)) {
            return Optional.empty();
        }
        boolean isReplaced = replaced() < replacedMax;
        lost.put(slot, isReplaced);
        return Optional.of(isReplaced);
    }

    /// The slot's thread is done with it.
    ///
    /// @return whether another has taken its place; empty when it was not lost
    synchronized Optional<Boolean> ended(Slot slot) {
        return Optional.ofNullable(lost.remove(slot));
    }

    private int replaced() {
        return (int) lost.values().stream().filter(isReplaced -> isReplaced).count();
    }

    synchronized Stuck stuck() {
        return new Stuck(lost.size(), replaced());
    }
}
