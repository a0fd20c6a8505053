package dev.mawashi.java;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/// Lets an interrupt through to a slot's thread only while a job is running there.
///
/// It must end the job it was meant for, never the next one. So both sides take the lock of this:
/// `interrupt` interrupts only between `open` and `close`, and `close` takes back an interrupt that
/// the job was too late to see.
final class InterruptGate {
    private final Thread thread;

    @GuardedBy("this")
    private boolean isOpen;

    @GuardedBy("this")
    private boolean isInterrupted;

    /// @param thread the slot's
    InterruptGate(Thread thread) {
        this.thread = thread;
    }

    synchronized void open() {
        isOpen = true;
        isInterrupted = false;
    }

    synchronized void interrupt() {
        if (isOpen) {
            isInterrupted = true;
            thread.interrupt();
        }
    }

    /// Called by the slot's thread.
    ///
    /// @return true when an interrupt went through
    synchronized boolean close() {
        isOpen = false;
        // A job may have interrupted its own thread, too.
        boolean _ = Thread.interrupted();
        return isInterrupted;
    }
}
