package dev.mawashi.broker;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// What Redis has in flight for an owner. One thread's.
interface InFlight {
    /// The tokens in its in-flight stores, by queue.
    Map<String, Set<Long>> tokens(String owner, Collection<String> queues);

    /// A job that this process holds.
    ///
    /// @param crashesAlone at how many crashes it had run alone before, if it runs alone
    record Held(Lease lease, OptionalInt crashesAlone) {}

    /// Puts jobs back from which Redis has lost them. One that is at the head of its queue, among
    /// the arrivals or the suspects again, as before it was claimed, leaves them, or it would run
    /// twice. One that runs alone is known to do so again. Without a lease on a queue its jobs stay
    /// away.
    ///
    /// @return how many
    int holdAgain(String owner, List<Held> jobs);
}
