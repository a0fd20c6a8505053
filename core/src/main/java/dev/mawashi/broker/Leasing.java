package dev.mawashi.broker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// Keeps owners' leases and recovers the jobs of owners whose lease has lapsed.
public interface Leasing extends Session {

    /// Opens an owner's lease on queues.
    void open(String owner, Collection<String> queues, Duration length);

    /// Renews it.
    ///
    /// @return false when the lease on any of them is gone: the owner was recovered and is fenced
    boolean renew(String owner, Collection<String> queues, Duration length);

    /// Gives up an owner's lease; what it still holds goes back to the head of its queue.
    ///
    /// @return number of jobs put back
    int release(String owner, Collection<String> queues);

    /// Every queue that was ever leased.
    List<String> servedQueues();

    /// Puts the jobs of every owner whose lease on this queue has lapsed, and arrivals that nobody
    /// claimed, back to the head of the queue.
    Recovered recover(String queue);

    /// @param owners owners that were found lapsed
    /// @param jobs jobs put back
    record Recovered(List<String> owners, int jobs) {
        public Recovered {
            owners = List.copyOf(owners);
        }
    }
}
