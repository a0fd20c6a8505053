package dev.mawashi.broker;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Reports work in any number of queues over one connection, to every process that watches them,
/// and leaves it where it is. One thread's, but for `wake`.
public interface Watching extends Session {

    /// Looks which of some queues hold a job. The next change of each is reported, once.
    ///
    /// @return those that hold one
    Set<String> holding(List<String> queues);

    /// Whether Redis reports changes of the keys that were read last. If not, one has to look
    /// again.
    boolean isTold();

    /// Waits until queues that were looked at have changed or the wait is over.
    Changes awaitChanges(Duration wait);

    /// Ends a wait from another thread, or the next one when none is under way.
    void wake();

    /// The queues that have changed.
    ///
    /// @param queues those that were reported
    /// @param areUnknown any other may have changed too
    record Changes(Set<String> queues, boolean areUnknown) {
        public Changes {
            queues = Set.copyOf(queues);
        }
    }
}
