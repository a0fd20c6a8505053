package dev.mawashi.broker;

import java.util.List;
import java.util.Optional;

/// Claims waiting jobs for an owner.
public interface Claiming extends Session {

    /// Moves the next jobs of the queues, in the given order, into the owner's in-flight store.
    ///
    /// A claim whose reply is lost gives its jobs back to their queues at the next call.
    ///
    /// @param most how many jobs at most, 1 or more
    /// @param mostBytes how many bytes at most; one job is taken whatever its size
    Claimed claim(List<String> queues, String owner, int most, int mostBytes);

    /// Asks for what `claim` would take and does not wait for it: `answer` tells. Several claims
    /// may be under way; each takes what the one before it left. Nothing else is called meanwhile.
    ///
    /// @throws dev.mawashi.redis.RedisFailure as `answer`
    void ask(List<String> queues, String owner, int most, int mostBytes);

    /// What the oldest claim under way took.
    ///
    /// @throws dev.mawashi.redis.RedisFailure when it has failed; if `asked` is 0 then, so have the
    ///   others that were under way
    Claimed answer();

    /// How many claims are under way.
    int asked();

    /// Claims one suspect of any of the queues: a job that was in hand at several crashes and is
    /// now to be run while nothing else runs in this process. Until it is settled, a crash is
    /// counted against it alone; so no other job may be claimed for this owner before.
    ///
    /// @return empty when there is none
    Optional<Suspect> claimSuspect(List<String> queues, String owner);

    /// Puts jobs that arrived for a parked process, and that nobody claimed, back to the head of
    /// their queues, and what a claim took whose reply was lost.
    void giveBack(List<String> queues);

    /// A claimed suspect.
    ///
    /// @param soloCrashes how often a process died while it ran alone
    record Suspect(Lease lease, int soloCrashes) {}

    /// What a claim took and what it met.
    ///
    /// @param leases the claimed jobs, in the order in which they shall run
    /// @param isFenced the owner's lease on a queue has lapsed or is gone: it needs a new epoch
    /// @param unusable queues of which a key is of a wrong type
    /// @param buried payloads over the size limit, moved to the dead set as they are
    /// @param trimmed old entries that left the dead set for them
    record Claimed(List<Lease> leases, boolean isFenced, int unusable, int buried, int trimmed) {
        public static final Claimed NOTHING = new Claimed(List.of(), false, 0, 0, 0);

        public Claimed {
            leases = List.copyOf(leases);
        }
    }
}
