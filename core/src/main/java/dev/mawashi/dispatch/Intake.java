package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A consumer of a `LeaseBuffer` that holds several jobs at once, as a child does. Safe for any
/// thread; its fields, and what it reads and changes of the buffer, are guarded by the buffer's
/// lock.
final class Intake implements LeaseBuffer.Taker {
    /// A consumer that holds so many bytes takes no more than it can begin at once.
    static final int AHEAD_BYTES_MAX = 4 << 20;

    /// A consumer that would hold more bytes than that with a job takes it from the buffer. So much
    /// fits into its socket, whether it reads or not: who brings a job does not wait for it.
    static final int AT_ONCE_BYTES_MAX = 64 << 10;

    private final LeaseBuffer buffer;
    private final int slots;
    private Consumer<Lease> atOnce = _ -> {};
    private int held;
    private long heldBytes;
    private int ahead;
    private boolean isResting;
    private boolean isClosed = true;

    /// @param slots jobs that it runs at once
    Intake(LeaseBuffer buffer, int slots) {
        this.buffer = buffer;
        this.slots = slots;
    }

    /// Jobs that it runs at once.
    int slots() {
        return slots;
    }

    /// Takes jobs from now on.
    ///
    /// @param send sends a job that it has been given without `take`; called on any thread
    void open(Consumer<Lease> send) {
        buffer.run(() -> {
            isClosed = false;
            atOnce = send;
            buffer.takers.add(this);
            countIdle(0);
        });
    }

    /// Takes jobs, waiting until there is one and room for it.
    ///
    /// @param patience longest wait while it holds more than it runs
    /// @return empty when this or the buffer is closed, or in vain
    List<Lease> take(Duration patience) {
        long left = patience.toNanos();
        buffer.lock.lock();
        try {
            while (!buffer.isClosed && !isClosed) {
                int share = share();
                if (share > 0) {
                    return next(share);
                }
                if (held <= slots) {
                    buffer.arrived.awaitUninterruptibly();
                    continue;
                }
                // Its jobs that end wake it too, and must not have it wait anew.
                left = buffer.arrived.awaitNanos(left);
                if (left <= 0) {
                    return List.of();
                }
            }
            return List.of();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            buffer.lock.unlock();
        }
    }

    /// How many jobs it may take now: one for each idle slot of its own, and beyond them only what
    /// the idle slots of others leave.
    private int share() {
        if (isResting) {
            return 0;
        }
        int waiting = buffer.leases.size();
        int spare = waiting - (buffer.idleSlots - idle());
        if (spare > idle() && isLow() && hasRoomInBytes()) {
            return Math.min(room(), spare);
        }
        return Math.min(idle(), waiting);
    }

    private int idle() {
        return isClosed || isResting ? 0 : Math.max(0, slots - held);
    }

    /// Not before half of what it held ready is gone, so that frames are few and large.
    private boolean isLow() {
        return ahead > 0 && room() > ahead / 2;
    }

    private int room() {
        return slots + ahead - held;
    }

    private boolean hasRoomInBytes() {
        return heldBytes < AHEAD_BYTES_MAX;
    }

    private List<Lease> next(int most) {
        List<Lease> batch = new ArrayList<>(most);
        int idleBefore = idle();
        while (batch.size() < most && (idle() > 0 || hasRoomInBytes())) {
            Lease lease = buffer.leases.removeFirst();
            held++;
            heldBytes += lease.payload().length;
            batch.add(lease);
        }
        buffer.idleSlots += idle() - idleBefore;
        buffer.taken += batch.size();
        if (buffer.leases.size() <= buffer.target / 2) {
            buffer.roomy.signal();
        }
        return batch;
    }

    @Override
    public int idleFor(Lease lease) {
        return heldBytes + lease.payload().length > AT_ONCE_BYTES_MAX ? 0 : idle();
    }

    @Override
    public void hold(Lease lease) {
        int idleBefore = idle();
        held++;
        heldBytes += lease.payload().length;
        buffer.idleSlots += idle() - idleBefore;
        buffer.taken++;
    }

    @Override
    public void send(Lease lease) {
        atOnce.accept(lease);
    }

    /// Holds these jobs no more.
    void free(List<Lease> jobs) {
        buffer.run(() -> {
            if (isClosed) {
                return;
            }
            int idleBefore = idle();
            held -= jobs.size();
            for (Lease lease : jobs) {
                heldBytes -= lease.payload().length;
            }
            countIdle(idleBefore);
        });
    }

    /// Counts its idle slots anew and wakes those who wait for such a change: what it leaves may be
    /// another's, and what it wants has perhaps to be claimed.
    private void countIdle(int before) {
        buffer.idleSlots += idle() - before;
        buffer.arrived.signalAll();
        buffer.roomy.signal();
    }

    /// How many jobs it may hold beyond those that it runs.
    void holdAhead(int jobs) {
        buffer.run(() -> {
            ahead = jobs;
            buffer.arrived.signalAll();
        });
    }

    /// Takes no jobs for a while, or takes jobs again.
    void rest(boolean mustRest) {
        buffer.run(() -> {
            int idleBefore = idle();
            isResting = mustRest;
            countIdle(idleBefore);
        });
    }

    /// Takes no more jobs.
    void close() {
        buffer.run(() -> {
            int idleBefore = idle();
            isClosed = true;
            buffer.takers.remove(this);
            countIdle(idleBefore);
        });
    }
}
