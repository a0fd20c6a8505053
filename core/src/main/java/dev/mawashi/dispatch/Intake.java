package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// A consumer of a `LeaseBuffer` that holds several jobs at once, as a child does. Safe for any
/// thread; its fields, and what it reads and changes of the buffer, are guarded by the buffer's
/// lock.
final class Intake implements LeaseBuffer.Taker, Berth.Guest {
    /// A consumer that holds so many bytes takes no more than it can begin at once.
    static final int AHEAD_BYTES_MAX = 4 << 20;

    /// A consumer that would hold more bytes than that with a job takes it from the buffer. So much
    /// fits into its socket, whether it reads or not: who brings a job does not wait for it.
    static final int AT_ONCE_BYTES_MAX = 64 << 10;

    private final LeaseBuffer buffer;
    private final Berth berth;
    private Consumer<Lease> atOnce = _ -> {};
    private int held;
    private long heldBytes;

    /// What they count in the budget.
    private long heldCost;

    private int ahead;
    private final Set<Object> resters = new HashSet<>(0);
    private boolean isClosed = true;
    private boolean isOver;

    /// @param berth the slots that it has, perhaps with others
    Intake(LeaseBuffer buffer, Berth berth) {
        this.buffer = buffer;
        this.berth = berth;
    }

    /// Jobs that it runs at once.
    int slots() {
        return berth.slots();
    }

    @Override
    public int held() {
        return held;
    }

    /// How many of its slots run a job or are about to.
    int busy() {
        int[] busy = new int[1];
        buffer.run(() -> busy[0] = Math.min(held, slots()));
        return busy[0];
    }

    /// Takes jobs from now on, unless it is over.
    ///
    /// @param send sends a job that it has been given without `take`; called on any thread
    void open(Consumer<Lease> send) {
        buffer.run(() -> {
            if (isOver) {
                return;
            }
            isClosed = false;
            atOnce = send;
            buffer.takers.add(this);
            berth.add(this);
            buffer.countIdle(idle());
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
                if (held <= slots()) {
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
        if (!resters.isEmpty()) {
            return 0;
        }
        int waiting = buffer.leases.size();
        int spare = waiting - (buffer.idleSlots - idle());
        if (spare > idle() && isLow() && hasRoomInBytes()) {
            return Math.min(room(), spare);
        }
        return Math.min(idle(), waiting);
    }

    @Override
    public int idle() {
        return isClosed || !resters.isEmpty() ? 0 : Math.max(0, berth.slotsFor(this) - held);
    }

    /// Not before half of what it held ready is gone, so that frames are few and large. None is
    /// held ready while not all slots are its own, since the child would run it.
    private boolean isLow() {
        return ahead > 0 && room() > ahead / 2 && berth.slotsFor(this) == slots();
    }

    private int room() {
        return slots() + ahead - held;
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
            count(lease);
            batch.add(lease);
        }
        buffer.idleSlots += idle() - idleBefore;
        buffer.taken += batch.size();
        if (buffer.leases.size() <= buffer.target / 2) {
            buffer.roomy.signal();
        }
        return batch;
    }

    private void count(Lease lease) {
        heldBytes += lease.payload().length;
        heldCost += buffer.payloads.cost(lease);
    }

    @Override
    public int idleFor(Lease lease) {
        return heldBytes + lease.payload().length > AT_ONCE_BYTES_MAX ? 0 : idle();
    }

    @Override
    public void hold(Lease lease) {
        int idleBefore = idle();
        held++;
        count(lease);
        buffer.payloads.take(buffer.payloads.cost(lease));
        buffer.idleSlots += idle() - idleBefore;
        buffer.taken++;
    }

    @Override
    public void send(Lease lease) {
        atOnce.accept(lease);
    }

    /// Holds these jobs no more.
    void free(List<Lease> jobs) {
        change(() -> {
            held -= jobs.size();
            long cost = 0;
            for (Lease lease : jobs) {
                heldBytes -= lease.payload().length;
                cost += buffer.payloads.cost(lease);
            }
            freeCost(isOver ? 0 : cost);
        });
    }

    private void freeCost(long cost) {
        heldCost -= cost;
        buffer.payloads.free(cost);
    }

    /// Others at its place may have or lack slots by this.
    private void change(Runnable change) {
        buffer.run(() -> {
            int idleBefore = berth.idle();
            change.run();
            buffer.countIdle(berth.idle() - idleBefore);
        });
    }

    /// How many jobs it may hold beyond those that it runs.
    void holdAhead(int jobs) {
        buffer.run(() -> {
            ahead = jobs;
            buffer.arrived.signalAll();
        });
    }

    /// Takes no jobs for as long as anybody wants it to.
    ///
    /// @param by who wants that
    void rest(Object by) {
        change(() -> resters.add(by));
    }

    /// @param by who wants it no more
    void goOn(Object by) {
        change(() -> resters.remove(by));
    }

    /// Takes no more jobs. Those that it has go on.
    void close() {
        change(() -> {
            isClosed = true;
            buffer.takers.remove(this);
        });
    }

    /// Takes no more jobs, and those that it had run no more.
    void end() {
        change(() -> {
            isClosed = true;
            isOver = true;
            freeCost(heldCost);
            buffer.takers.remove(this);
            berth.remove(this);
        });
    }
}
