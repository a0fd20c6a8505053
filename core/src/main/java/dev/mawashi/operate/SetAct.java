package dev.mawashi.operate;

import dev.mawashi.broker.DeadLimits;
import java.time.Instant;

/// What is to be done to entries of a set.
public sealed interface SetAct {

    /// Puts them into their queues now.
    ///
    /// @param isRetry the try does not count, as with the Retry button of Sidekiq's page
    record Run(boolean isRetry) implements SetAct {}

    /// Puts them into another queue now.
    ///
    /// @param isRetry as with `Run`
    record Requeue(String queue, boolean isRetry) implements SetAct {}

    /// Makes them due at another time.
    record Reschedule(Instant due) implements SetAct {}

    /// Moves them to the dead set.
    record Bury(DeadLimits limits) implements SetAct {}

    /// Removes them.
    record Delete() implements SetAct {}
}
