package dev.mawashi.broker;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/// Watching in memory.
final class MemoryWatching implements Watching {
    private final MemoryLock lock;
    private final Predicate<String> holdsJob;
    private boolean isWoken;

    MemoryWatching(MemoryLock lock, Predicate<String> holdsJob) {
        this.lock = lock;
        this.holdsJob = holdsJob;
    }

    @Override
    public boolean awaitJob(List<String> queues, Duration wait) {
        lock.awaitUntil(wait, () -> isWoken || queues.stream().anyMatch(holdsJob));
        return lock.locked(() -> {
            isWoken = false;
            return queues.stream().anyMatch(holdsJob);
        });
    }

    @Override
    public void wake() {
        lock.locked(() -> isWoken = true);
    }

    @Override
    public void close() {}
}
