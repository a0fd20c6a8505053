package dev.mawashi.ruby;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import org.jruby.RubyClass;
import org.jruby.RubyThread;

/// Lets an interrupt through to a slot's thread only while a job is running there.
///
/// The interrupt is a Ruby exception raised in the slot's thread, and it must end the job it was
/// meant for, never the next one. So both sides take the lock: `interrupt` raises only between
/// `open` and `close`, at most once, and `close` tells whether an exception is on its way that the
/// job may have been too late to see. The slot then takes it out before its next job.
final class InterruptGate {
    private final RubyClass shutdown;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private RubyThread thread;

    @GuardedBy("lock")
    private boolean isOpen;

    @GuardedBy("lock")
    private boolean isInterrupted;

    /// @param shutdown what is raised
    InterruptGate(RubyClass shutdown, RubyThread thread) {
        this.shutdown = shutdown;
        this.thread = thread;
    }

    /// Puts another Ruby thread in the place of one that was killed.
    void guard(RubyThread newThread) {
        lock.lock();
        try {
            thread = newThread;
        } finally {
            lock.unlock();
        }
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
            if (isOpen && !isInterrupted) {
                isInterrupted = true;
                thread.raise(shutdown);
            }
        } finally {
            lock.unlock();
        }
    }

    /// @return true when an interrupt went through
    boolean close() {
        lock.lock();
        try {
            isOpen = false;
            return isInterrupted;
        } finally {
            lock.unlock();
        }
    }
}
