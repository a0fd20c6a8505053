package dev.mawashi.dispatch;

/// A consumer that holds several jobs at once. Its fields are guarded by the lock of the
/// `LeaseBuffer` that it takes from.
final class Intake {
    final int slots;
    int held;
    int ahead;
    boolean isPoked;
    boolean isResting;
    boolean isClosed = true;

    /// @param slots jobs that it runs at once
    Intake(int slots) {
        this.slots = slots;
    }

    int idle() {
        return isClosed || isResting ? 0 : Math.max(0, slots - held);
    }

    int room() {
        return slots + ahead - held;
    }

    /// Not before half of what it held ready is gone, so that frames are few and large.
    boolean isLow() {
        return ahead > 0 && room() > ahead / 2;
    }
}
