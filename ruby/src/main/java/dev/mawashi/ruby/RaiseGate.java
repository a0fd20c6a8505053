package dev.mawashi.ruby;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import org.jruby.RubyClass;
import org.jruby.RubyThread;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/// Lets an interrupt through to a slot's thread only while a job is running there.
///
/// An interrupt, for the server's stop, or a cut, for one job, is a Ruby exception raised in the
/// slot's thread, and it must end the job it was meant for, never the next one. So both sides take
/// the lock: `interrupt` and `cut` raise only between `open` and `close`, each at most once, and
/// `close` tells whether an exception is on its way that the job may have been too late to see. The
/// slot then takes it out before its next job.
final class RaiseGate {
    private final RubyClass shutdown;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private RubyThread thread;

    @GuardedBy("lock")
    private boolean isOpen;

    @GuardedBy("lock")
    private boolean isInterrupted;

    @GuardedBy("lock")
    private boolean isCut;

    /// The payload array of the job that runs, which tells it from the next job; null while none
    /// runs.
    @GuardedBy("lock")
    private byte @Nullable [] job;

    /// @param shutdown what is raised
    RaiseGate(RubyClass shutdown, RubyThread thread) {
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

    /// @param payload the very array of the job that begins
    void open(byte[] payload) {
        lock.lock();
        try {
            isOpen = true;
            isInterrupted = false;
            isCut = false;
            job = payload;
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

    /// Raises an error in the job that was begun with this very array, once, if it runs.
    @SuppressWarnings("ReferenceEquality") // the very array: another job's may be equal
    void cut(byte[] payload, IRubyObject error) {
        lock.lock();
        try {
            if (isOpen && job == payload && !isCut) {
                isCut = true;
                thread.raise(error);
            }
        } finally {
            lock.unlock();
        }
    }

    RubyThread thread() {
        lock.lock();
        try {
            return thread;
        } finally {
            lock.unlock();
        }
    }

    boolean isInterrupted() {
        lock.lock();
        try {
            return isInterrupted;
        } finally {
            lock.unlock();
        }
    }

    /// @return true when an interrupt or a cut went through
    boolean close() {
        lock.lock();
        try {
            isOpen = false;
            job = null;
            return isInterrupted || isCut;
        } finally {
            lock.unlock();
        }
    }
}
