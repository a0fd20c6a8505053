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

    /// Slots that are held back, by places; those of places that have no berth yet stand under
    /// `NO_PLACE`. Guarded by the buffer's lock.
    private final Map<Integer, Integer> heldBack = new TreeMap<>();

    private static final int NO_PLACE = -1;

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
        int all = slots.applyAsInt(place);
        int unplaced = heldBack.getOrDefault(NO_PLACE, 0);
        int lent = Math.min(all, unplaced);
        heldBack.put(NO_PLACE, unplaced - lent);
        heldBack.put(place, lent);
        return new Berth(all, lent);
    }

    /// Lends so many slots to a process of older code, at whichever places. Once there are berths
    /// the number only falls.
    void holdBack(int wanted) {
        buffer.run(() -> {
            if (berths.isEmpty()) {
                heldBack.put(NO_PLACE, wanted);
                return;
            }
            int over = heldBack.values().stream().mapToInt(held -> held).sum() - wanted;
            for (Map.Entry<Integer, Integer> one : heldBack.entrySet()) {
                int freed = Math.clamp(over, 0, one.getValue());
                over -= freed;
                one.setValue(one.getValue() - freed);
                Berth berth = berths.get(one.getKey());
                if (berth != null) {
                    change(berth, () -> berth.takeBack(freed));
                }
            }
        });
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
