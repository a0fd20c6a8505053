package dev.mawashi.broker;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Claims waiting jobs for an owner.
public interface Claiming extends Session {

    /// Moves the next jobs of the queues, in the given order, into the owner's in-flight store.
    ///
    /// When a claim's reply is lost, the next call gives its jobs back to their queues.
    ///
    /// @param most how many jobs at most, 1 or more
    /// @param mostBytes how many bytes at most; one job is taken whatever its size
    Claimed claim(List<String> queues, String owner, int most, int mostBytes);

    /// Sends a claim and does not wait for its reply, which `answer` returns. Several claims may be
    /// under way: each takes from what the one before it left. Until all are answered, no other
    /// method sends anything.
    ///
    /// @throws dev.mawashi.redis.RedisFailure as `answer`
    void ask(List<String> queues, String owner, int most, int mostBytes);

    /// What the oldest claim under way took.
    ///
    /// @throws dev.mawashi.redis.RedisFailure when the claim has failed; if `asked` is 0 then, the
    ///   others that were under way have failed too
    Claimed answer();

    /// How many claims are under way.
    int asked();

    /// Claims one suspect of any of the queues: a job that was in hand at several crashes and is
    /// now to be run while nothing else runs in this process. Until it is settled, a crash is
    /// counted against it alone; so no other job may be claimed for this owner until then.
    ///
    /// @return empty when there is none
    /// @throws dev.mawashi.redis.RedisFailure also when there is none but in queues that refuse it
    Optional<Suspect> claimSuspect(List<String> queues, String owner);

    /// Puts back to the head of their queues the jobs that arrived for a parked process and that is
    /// run or claimed, and those of a claim whose reply was lost.
    void giveBack(List<String> queues, String owner);

    /// A claimed suspect.
    ///
    /// @param soloCrashes how often a process died while it ran alone
    record Suspect(Lease lease, int soloCrashes) {}

    /// The result of a claim: its jobs, and the state of its queues.
    ///
    /// @param leases the claimed jobs, in the order in which they shall run
    /// @param isFenced the owner's lease on a queue has lapsed or is gone: it needs a new epoch
    /// @param met what it found out of queues
    /// @param buried payloads over the size limit, moved to the dead set as they are
    /// @param trimmed old entries that left the dead set when those were buried
    record Claimed(List<Lease> leases, boolean isFenced, Met met, int buried, int trimmed) {
        public static final Claimed NOTHING = new Claimed(List.of(), false, Met.NOTHING, 0, 0);

        public Claimed {
            leases = List.copyOf(leases);
        }

        /// See `Met`.
        public Set<String> unusable() {
            return met.unusable();
        }
    }

    /// The state of queues as a claim found it.
    ///
    /// @param lookedAt those that it looked at, for all that is known
    /// @param unusable those that gave nothing, or not all, since Redis refuses one of their keys
    record Met(List<String> lookedAt, Set<String> unusable) {
        static final Met NOTHING = new Met(List.of(), Set.of());

        public Met {
            unusable = Set.copyOf(unusable);
        }
    }
}
