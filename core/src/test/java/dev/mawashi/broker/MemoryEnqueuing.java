package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/// Enqueues into a broker in memory, all that was asked for in one step.
final class MemoryEnqueuing implements Enqueuing {
    private final MemoryLock lock;
    private final BiConsumer<String, byte[]> push;
    private final BiConsumer<Long, byte[]> schedule;
    private final List<Runnable> pending = new ArrayList<>();

    /// @param schedule takes epoch nanoseconds
    MemoryEnqueuing(
            MemoryLock lock, BiConsumer<String, byte[]> push, BiConsumer<Long, byte[]> schedule) {
        this.lock = lock;
        this.push = push;
        this.schedule = schedule;
    }

    @Override
    public void push(String queue, List<byte[]> payloads) {
        List<byte[]> copy = List.copyOf(payloads);
        pending.add(() -> copy.forEach(payload -> push.accept(queue, payload)));
    }

    @Override
    public void schedule(Instant due, byte[] payload) {
        long nanos = due.getEpochSecond() * 1_000_000_000L + due.getNano();
        pending.add(() -> schedule.accept(nanos, payload));
    }

    @Override
    public Map<Integer, RedisFailure> flush() {
        return lock.locked(() -> {
            pending.forEach(Runnable::run);
            pending.clear();
            return Map.of();
        });
    }

    @Override
    public void close() {}
}
