package dev.mawashi.broker;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Watching in memory.
final class MemoryWatching implements Watching {
    private final MemoryLock lock;
    private final Predicate<String> holdsJob;
    private final Set<String> empty = new HashSet<>();
    private boolean isWoken;

    MemoryWatching(MemoryLock lock, Predicate<String> holdsJob) {
        this.lock = lock;
        this.holdsJob = holdsJob;
    }

    @Override
    public Set<String> holding(List<String> queues) {
        return lock.locked(() -> {
            Set<String> holding = new HashSet<>();
            for (String queue : queues) {
                if (holdsJob.test(queue)) {
                    holding.add(queue);
                    empty.remove(queue);
                } else {
                    empty.add(queue);
                }
            }
            return holding;
        });
    }

    @Override
    public boolean isTold() {
        return true;
    }

    @Override
    public Changes awaitChanges(Duration wait) {
        lock.awaitUntil(wait, () -> isWoken || empty.stream().anyMatch(holdsJob));
        return lock.locked(() -> {
            isWoken = false;
            Set<String> changed = empty.stream().filter(holdsJob).collect(Collectors.toSet());
            empty.removeAll(changed);
            return new Changes(changed, false);
        });
    }

    @Override
    public void wake() {
        lock.locked(() -> isWoken = true);
    }

    @Override
    public void close() {}
}
