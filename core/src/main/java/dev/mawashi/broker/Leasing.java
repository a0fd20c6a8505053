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

    /// Of all queues that were ever leased, those that `recover` may find something to do on; none
    /// when all is well.
    ///
    /// @param self the caller's own owner, whose lapsed lease makes none of them one
    List<String> queuesToRecover(String self);

    /// A job that was in hand at that many crashes runs alone from then on. The first crash makes
    /// no suspect, since most are nobody's fault: an update, a host that went away.
    int SUSPECT_CRASHES = 2;

    /// How long crashes are remembered after the last.
    Duration CRASHES_REMEMBERED = Duration.ofDays(1);

    /// Puts the jobs of every owner whose lease on this queue has lapsed, and arrivals that nobody
    /// claimed, back to the head of the queue; suspects go to a list of their own.
    ///
    /// @param self the caller's own owner, whose lapsed lease is left for it to renew
    Recovered recover(String queue, String self);

    /// @param owners owners that were found lapsed
    /// @param jobs jobs put back
    /// @param suspects jobs of the queue that wait to be run alone
    record Recovered(List<String> owners, int jobs, int suspects) {
        public Recovered {
            owners = List.copyOf(owners);
        }
    }
}
