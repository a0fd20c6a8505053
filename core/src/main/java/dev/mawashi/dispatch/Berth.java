package dev.mawashi.dispatch;

import java.util.ArrayList;
import java.util.List;

/// The slots of a capsule at one place among its children, whichever children are there: one that
/// works, those before it that still run jobs, and those that have borrowed a slot: one for a job
/// of its own, and a process of older code. Together they never run more jobs than there are slots.
/// Guarded by the buffer's lock.
final class Berth {
    private final int slots;
    private final List<Guest> guests = new ArrayList<>(2);
    private int borrowed;

    /// Takes jobs for a child here.
    interface Guest {
        /// Jobs that it has taken and that have not ended.
        int held();

        /// Slots in which it could begin a job at once.
        int idle();
    }

    Berth(int slots) {
        this(slots, 0);
    }

    /// @param borrowed slots that are lent from the beginning
    Berth(int slots, int borrowed) {
        this.slots = slots;
        this.borrowed = borrowed;
    }

    int slots() {
        return slots;
    }

    void add(Guest guest) {
        guests.add(guest);
    }

    void remove(Guest guest) {
        guests.remove(guest);
    }

    /// The slots that the others leave.
    int slotsFor(Guest guest) {
        int left = slots - borrowed;
        for (Guest other : guests) {
            left -= other.equals(guest) ? 0 : other.held();
        }
        return left;
    }

    /// Slots of the one that takes jobs in which none runs.
    int idle() {
        int idle = 0;
        for (Guest guest : guests) {
            idle += guest.idle();
        }
        return idle;
    }

    /// How many slots are free; below 0 when children hold more than they run.
    int free() {
        int free = slots - borrowed;
        for (Guest guest : guests) {
            free -= guest.held();
        }
        return free;
    }

    boolean canLend() {
        return borrowed < slots;
    }

    /// Lends a slot; it can be used once `free` is not below 0.
    void lend() {
        borrowed++;
    }

    void takeBack() {
        takeBack(1);
    }

    void takeBack(int some) {
        borrowed -= some;
    }
}
