package dev.mawashi.broker;

import java.time.Duration;
import java.util.function.Predicate;

/// Parking in memory, which moves nothing: all that are parked wake for a job.
final class MemoryParking implements Parking {
    private final MemoryLock lock;
    private final Predicate<String> holdsJob;
    private volatile boolean isAborted;

    MemoryParking(MemoryLock lock, Predicate<String> holdsJob) {
        this.lock = lock;
        this.holdsJob = holdsJob;
    }

    @Override
    public boolean awaitArrival(String queue, Duration wait) {
        return lock.awaitUntil(wait, () -> isAborted || holdsJob.test(queue)) && !isAborted;
    }

    @Override
    public void abort() {
        lock.locked(() -> isAborted = true);
    }

    @Override
    public void close() {}
}
