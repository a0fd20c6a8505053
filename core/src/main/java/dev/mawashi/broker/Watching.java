package dev.mawashi.broker;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Tells of work in any number of queues over one connection, and leaves it where it is: of several
/// processes all are told. One thread's, but for `wake`.
public interface Watching extends Session {

    /// Looks which of some queues hold a job. The next change of each is told, once.
    ///
    /// @return those that hold one
    Set<String> holding(List<String> queues);

    /// Whether changes of what was looked at last are told. If not, one has to look again.
    boolean isTold();

    /// Waits until queues that were looked at have changed or the wait is over.
    Changes awaitChanges(Duration wait);

    /// Ends a wait from another thread, or the next one when none is under way.
    void wake();

    /// What has changed.
    ///
    /// @param queues those that it was told of
    /// @param areUnknown any other may have changed too
    record Changes(Set<String> queues, boolean areUnknown) {
        public Changes {
            queues = Set.copyOf(queues);
        }
    }
}
