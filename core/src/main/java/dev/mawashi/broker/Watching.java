package dev.mawashi.broker;

import java.time.Duration;
import java.util.List;

/// Tells of work in any number of queues over one connection, and leaves it where it is: of several
/// processes all are told. One thread's, but for `wake`.
public interface Watching extends Session {

    /// Looks whether a queue holds a job; if none does, waits until one of them has changed or the
    /// wait is over, and does not look again.
    ///
    /// @param wait longest wait; shorter when Redis cannot tell of changes
    /// @return true when a queue held a job
    boolean awaitJob(List<String> queues, Duration wait);

    /// Ends a wait from another thread, or the next one when none is under way.
    void wake();
}
