package dev.mawashi.ruby;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jruby.RubyClass;
import org.jruby.RubyThread;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/// Lets an interrupt through to a slot's thread only while a job is running there.
///
/// An interrupt, for the server's stop, or a cut, for one job, is a Ruby exception raised in the
/// slot's thread, and it must end the job it was meant for, never the next one. So both sides take
/// the lock of this: `interrupt` and `cut` raise only between `open` and `close`, each at most
/// once, and `close` says whether an exception is on its way that the job may have been too late to
/// see. The slot then takes it out before its next job.
final class RaiseGate {
    private final RubyClass shutdown;

    @GuardedBy("this")
    private RubyThread thread;

    @GuardedBy("this")
    private boolean isOpen;

    @GuardedBy("this")
    private boolean isInterrupted;

    @GuardedBy("this")
    private boolean isCut;

    /// The payload array of the job that runs, which separates it from the next job; null while
    /// none runs.
    @GuardedBy("this")
    private byte @Nullable [] job;

    /// @param shutdown what is raised
    RaiseGate(RubyClass shutdown, RubyThread thread) {
        this.shutdown = shutdown;
        this.thread = thread;
    }

    /// Puts another Ruby thread in the place of one that was killed.
    synchronized void guard(RubyThread newThread) {
        thread = newThread;
    }

    /// @param payload the very array of the job that begins
    synchronized void open(byte[] payload) {
        isOpen = true;
        isInterrupted = false;
        isCut = false;
        job = payload;
    }

    synchronized void interrupt() {
        if (isOpen && !isInterrupted) {
            isInterrupted = true;
            thread.raise(shutdown);
        }
    }

    /// Raises an error in the job that was begun with this very array, once, if it runs.
    @SuppressWarnings("ReferenceEquality") // the very array: another job's may be equal
    synchronized void cut(byte[] payload, IRubyObject error) {
        if (isOpen && job == payload && !isCut) {
            isCut = true;
            thread.raise(error);
        }
    }

    synchronized RubyThread thread() {
        return thread;
    }

    synchronized boolean isInterrupted() {
        return isInterrupted;
    }

    /// @return true when an interrupt or a cut went through
    synchronized boolean close() {
        isOpen = false;
        job = null;
        return isInterrupted || isCut;
    }
}
