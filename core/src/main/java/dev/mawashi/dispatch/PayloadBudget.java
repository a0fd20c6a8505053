package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// The limit of payload bytes of all jobs that the capsules of a process hold: those that wait for
/// a slot, and those that run. It is an eighth of the heap, which also holds the frame for a child
/// and the payload of a retry. A large job on a thread counts four times. When it fails, the heap
/// has its arguments, its hash for middleware, another for error handlers, and what these log of
/// it, at the same time.
///
/// It is looked at before a claim, so that one more claim is held than it allows. A capsule that
/// holds nothing claims whatever others hold, or a few large jobs that run for hours would keep it
/// from all of its queues.
public final class PayloadBudget {
    private static final int SHARE_OF_HEAP = 8;

    /// What has more is large: few such jobs make up much of a heap.
    static final int SMALL_BYTES_MAX = 64 << 10;

    private static final int WEIGHT_ON_THREADS = 4;

    private final long most;
    private final AtomicLong held = new AtomicLong();

    /// @param most bytes
    public PayloadBudget(long most) {
        this.most = most;
    }

    /// What the heap of this process allows.
    public static PayloadBudget ofHeap() {
        return new PayloadBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /// The part of one more capsule, whose jobs run on threads.
    Part ofThreads() {
        return new Part(WEIGHT_ON_THREADS);
    }

    /// The part of one more capsule, whose jobs run in children.
    Part ofChildren() {
        return new Part(1);
    }

    /// The part of it that one capsule holds. Guarded by the lock of its buffer.
    final class Part {
        private final int weight;
        private long own;

        private Part(int weight) {
            this.weight = weight;
        }

        /// What a job counts.
        long cost(Lease lease) {
            long bytes = lease.payload().length;
            return bytes > SMALL_BYTES_MAX ? weight * bytes : bytes;
        }

        /// What these count together, so that a claim of many takes it in one step.
        long cost(List<Lease> leases) {
            long cost = 0;
            for (Lease lease : leases) {
                cost += cost(lease);
            }
            return cost;
        }

        void take(long cost) {
            own += cost;
            held.addAndGet(cost);
        }

        /// @return whether it was full and is so no more
        boolean free(long cost) {
            boolean wasFull = isFull();
            take(-cost);
            return wasFull && !isFull();
        }

        /// Whether no more is to be claimed until some of it is free.
        boolean isFull() {
            return own > 0 && held.get() >= most;
        }

        /// Bytes of large jobs with which this capsule alone makes it full.
        long most() {
            return most / weight;
        }
    }
}
