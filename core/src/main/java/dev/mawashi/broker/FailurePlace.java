package dev.mawashi.broker;

import dev.mawashi.wire.ResqueKeys;
import java.util.Objects;

/// The keys that record and count the failures of a Resque capsule's jobs.
///
/// @param isPerQueue whether each queue has a failure list of its own, as with Resque's
///   `redis_multi_queue` backend
/// @param worker id of the worker that the failures count for
public record FailurePlace(ResqueKeys keys, boolean isPerQueue, String worker) {
    public FailurePlace {
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(worker, "worker");
    }

    String list(String queue) {
        return isPerQueue ? keys.failureList(ResqueKeys.failedName(queue)) : keys.failed();
    }

    /// Name of the queue's own list; "" when it has none.
    String ownName(String queue) {
        return isPerQueue ? ResqueKeys.failedName(queue) : "";
    }
}
