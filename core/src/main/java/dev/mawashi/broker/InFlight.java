package dev.mawashi.broker;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// The jobs that Redis has in flight for an owner. One thread's.
interface InFlight {
    /// The tokens in an owner's in-flight stores, by queue.
    Map<String, Set<Long>> tokens(String owner, Collection<String> queues);

    /// Whether any job has a lock.
    boolean hasLocks();

    /// The payload of a job in an owner's in-flight store; empty when it is gone or cannot be read.
    byte[] payload(Lease lease);

    /// A job that this process holds.
    ///
    /// @param crashesAlone at how many crashes the job had run alone before, if it runs alone
    record Held(Lease lease, OptionalInt crashesAlone) {}

    /// Puts jobs that Redis has lost back in flight. A job that is again where it was before its
    /// claim (at the head of its queue, among the arrivals or the suspects) leaves that place, or
    /// it would run twice. A job that runs alone is noted as such again. Without a lease on a queue
    /// none of its jobs is put back.
    ///
    /// @return how many were put back
    int holdAgain(String owner, List<Held> jobs);
}
