package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.util.List;

/// A consumer that holds several jobs at once. Its fields are guarded by the lock of the
/// `LeaseBuffer` that it takes from.
final class Intake {
    /// A consumer that holds so many bytes takes no more than it can begin at once.
    static final int AHEAD_BYTES_MAX = 4 << 20;

    final int slots;
    int held;
    int ahead;
    boolean isPoked;
    boolean isResting;
    boolean isClosed = true;
    private long heldBytes;

    /// @param slots jobs that it runs at once
    Intake(int slots) {
        this.slots = slots;
    }

    int idle() {
        return isClosed || isResting ? 0 : Math.max(0, slots - held);
    }

    /// How many jobs it may take now: one for each idle slot of its own, and beyond them only what
    /// the idle slots of others leave.
    int share(int waiting, int idleOfOthers) {
        if (isResting) {
            return 0;
        }
        int spare = waiting - idleOfOthers;
        if (spare > idle() && isLow() && hasRoomInBytes()) {
            return Math.min(room(), spare);
        }
        return Math.min(idle(), waiting);
    }

    private int room() {
        return slots + ahead - held;
    }

    /// Not before half of what it held ready is gone, so that frames are few and large.
    private boolean isLow() {
        return ahead > 0 && room() > ahead / 2;
    }

    boolean hasRoomInBytes() {
        return heldBytes < AHEAD_BYTES_MAX;
    }

    void hold(Lease lease) {
        held++;
        heldBytes += lease.payload().length;
    }

    void letGo(List<Lease> leases) {
        held -= leases.size();
        for (Lease lease : leases) {
            heldBytes -= lease.payload().length;
        }
    }
}
