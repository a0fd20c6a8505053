package dev.mawashi.java;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/// Lets an interrupt through to a slot's thread only while a job is running there.
///
/// It must end the job it was meant for, never the next one. So both sides take the lock:
/// `interrupt` interrupts only between `open` and `close`, and `close` takes back an interrupt that
/// the job was too late to see.
final class InterruptGate {
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean isOpen;

    @GuardedBy("lock")
    private boolean isInterrupted;

    /// @param thread the slot's
    InterruptGate(Thread thread) {
        this.thread = thread;
    }

    void open() {
        lock.lock();
        try {
            isOpen = true;
            isInterrupted = false;
        } finally {
            lock.unlock();
        }
    }

    void interrupt() {
        lock.lock();
        try {
            if (isOpen) {
                isInterrupted = true;
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Called by the slot's thread.
    ///
    /// @return true when an interrupt went through
    boolean close() {
        lock.lock();
        try {
            isOpen = false;
            // A job may have interrupted its own thread, too.
            boolean _ = Thread.interrupted();
            return isInterrupted;
        } finally {
            lock.unlock();
        }
    }
}
