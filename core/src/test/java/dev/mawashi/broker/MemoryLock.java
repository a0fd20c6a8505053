package dev.mawashi.broker;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Stands for Redis's one thread in `MemoryBroker`: one action at a time, and whoever waits looks
/// again after each.
final class MemoryLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            T result = action.get();
            changed.signalAll();
            return result;
        } finally {
            lock.unlock();
        }
    }

    boolean awaitUntil(Duration wait, BooleanSupplier condition) {
        long left = wait.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
