package dev.mawashi.dispatch;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The slots of a capsule at all places among its children. Safe for any thread.
final class Berths {
    private final LeaseBuffer buffer;
    private final IntUnaryOperator slots;

    /// By place. Guarded by the buffer's lock.
    private final Map<Integer, Berth> berths = new TreeMap<>();

    /// @param slots gives how many a place has
    Berths(LeaseBuffer buffer, IntUnaryOperator slots) {
        this.buffer = buffer;
        this.slots = slots;
    }

    /// An intake for a child that takes this place.
    Intake intake(int place) {
        Berth[] berth = new Berth[1];
        buffer.run(() -> berth[0] = berths.computeIfAbsent(place, this::berth));
        return new Intake(buffer, berth[0]);
    }

    private Berth berth(int place) {
        return new Berth(slots.applyAsInt(place));
    }

    /// Takes a slot from the children for a job that runs elsewhere, and waits until none of them
    /// runs a job in it: of the child that has most slots free, or of another one that has a slot
    /// free sooner.
    ///
    /// @return to be given back; null when the buffer is closed
    @Nullable Berth borrow() {
        Berth lender = null;
        buffer.lock.lock();
        try {
            while (!buffer.isClosed) {
                lender = better(lender);
                if (lender != null && lender.free() >= 0) {
                    return lender;
                }
                buffer.arrived.awaitUninterruptibly();
            }
            if (lender != null) {
                change(lender, lender::takeBack);
            }
            return null;
        } finally {
            buffer.lock.unlock();
        }
    }

    /// The one that lends from now on, which may be the one that does so already.
    private @Nullable Berth better(@Nullable Berth lender) {
        if (lender != null && lender.free() >= 0) {
            return lender;
        }
        Berth freest = null;
        for (Berth one : berths.values()) {
            if (one.canLend() && (freest == null || one.free() > freest.free())) {
                freest = one;
            }
        }
        if (freest == null || (lender != null && freest.free() <= 0)) {
            return lender;
        }
        if (lender != null) {
            change(lender, lender::takeBack);
        }
        change(freest, freest::lend);
        return freest;
    }

    void giveBack(Berth lender) {
        buffer.run(() -> change(lender, lender::takeBack));
    }

    private void change(Berth berth, Runnable change) {
        int idleBefore = berth.idle();
        change.run();
        buffer.countIdle(berth.idle() - idleBefore);
    }
}
