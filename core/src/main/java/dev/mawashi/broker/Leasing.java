package dev.mawashi.broker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Keeps owners' leases and recovers the jobs of owners whose lease has lapsed.
public interface Leasing extends Session {

    /// How long it is remembered that others have recovered an owner. One that stood still for
    /// longer takes its lost lease for one that Redis has lost.
    Duration RECOVERED_REMEMBERED = Duration.ofDays(7);

    /// Opens an owner's lease on queues.
    Kept open(String owner, Collection<String> queues, Duration length);

    /// Renews an owner's lease on queues. Where the lease is gone though nobody has recovered the
    /// owner, Redis has lost it: it is opened again.
    Kept renew(String owner, Collection<String> queues, Duration length);

    /// The state of a lease after a renewal.
    ///
    /// @param isFenced others have recovered the owner on a queue at least
    /// @param doubt whether Redis may have other jobs in flight for the owner than those that it
    ///   holds
    /// @param refused queues on which there can be no lease, each with the reason
    record Kept(boolean isFenced, Doubt doubt, Map<String, String> refused) {
        public Kept {
            refused = Map.copyOf(refused);
        }
    }

    enum Doubt {
        NONE,
        /// The connection is another than at the last call.
        RECONNECTED,
        /// Redis has lost a lease or a job, was restarted, or another server answers in its place.
        WENT_BACK
    }

    /// Sets what is called, on any thread, when settling finds that Redis knows no good lease of
    /// this process's, or has not got a job that runs here: the lease is to be renewed at once.
    void onDoubt(Runnable action);

    /// Compares what Redis has in flight for an owner with what this process holds.
    ///
    /// @param hasGoneBack jobs that Redis has lost are put back in flight; without that, a job that
    ///   is not there was taken away by an operator
    Differences compare(String owner, Collection<String> queues, boolean hasGoneBack);

    /// @param again settlements that Redis has lost, or that give a job back which this process
    ///   never had: they are to be made again
    /// @param heldAgain how many jobs that this process holds are in flight again
    record Differences(List<Settled> again, int heldAgain) {
        public Differences {
            again = List.copyOf(again);
        }

        public boolean isNone() {
            return again.isEmpty() && heldAgain == 0;
        }
    }

    /// Forgets what this owner held: others have recovered it.
    void forget(String owner);

    /// Gives up an owner's lease on those of some queues where nothing of the owner's is in flight
    /// and no suspect waits.
    ///
    /// @return those where the lease stays
    List<String> giveUpUnused(String owner, Collection<String> queues);

    /// Gives up an owner's lease; what it still holds goes back to the head of its queue, in steps
    /// as with `recover`.
    ///
    /// @return number of jobs put back
    int release(String owner, Collection<String> queues);

    /// Whether another Redis answers than when this session last asked or renewed, or one that was
    /// restarted since. Its leases may be those of a while ago, and have lapsed though their owners
    /// live.
    boolean isAnotherServer();

    /// Of all queues that were ever leased, those that `recover` may find something to do on; none
    /// when all is well.
    ///
    /// @param self the caller's own owner, whose lapsed lease does not count
    List<String> queuesToRecover(String self);

    /// Of all queues that were ever leased, those where suspects wait.
    List<String> queuesWithSuspects();

    /// How long a crash is remembered at most.
    Duration CRASHES_REMEMBERED = Duration.ofDays(1);

    /// Most jobs that are named of those that were put back.
    int NAMED_MAX = 10;

    /// Puts the jobs of every owner whose lease on this queue has lapsed, and arrivals that nobody
    /// claimed, back to the head of the queue. Suspects go to a list of their own: jobs in hand at
    /// a second crash, to be run alone from then on. The first crash makes no suspect, since most
    /// are nobody's fault: an update, a host that went away.
    ///
    /// Many jobs go back in several steps. Each step leaves every job in one place. A failure
    /// between two of them is made good by the next call, whoever makes it.
    ///
    /// @param self the caller's own owner, whose lapsed lease is left for it to renew
    Recovered recover(String queue, String self);

    /// @param owners owners that were found lapsed
    /// @param jobs what was put back, suspects among it
    /// @param suspects what went to the suspects
    /// @param waiting jobs of the queue that wait to be run alone
    record Recovered(List<String> owners, Moved jobs, Moved suspects, int waiting) {
        public Recovered {
            owners = List.copyOf(owners);
        }
    }

    /// Jobs that were moved.
    ///
    /// @param named payloads of the first `NAMED_MAX` of them, less those too large for that
    record Moved(int count, List<byte[]> named) {
        static final Moved NONE = new Moved(0, List.of());

        public Moved {
            named = List.copyOf(named);
        }

        Moved and(int more, List<byte[]> moreNamed) {
            List<byte[]> all = Stream.concat(named.stream(), moreNamed.stream()).toList();
            return new Moved(count + more, all.subList(0, Math.min(all.size(), NAMED_MAX)));
        }
    }
}
