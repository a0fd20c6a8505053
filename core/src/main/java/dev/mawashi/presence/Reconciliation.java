package dev.mawashi.presence;

import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import java.util.Collection;
import java.util.function.Consumer;

/// Has what Redis holds in flight for this process compared with what the process holds itself, and
/// the difference settled.
///
/// Redis may go back in time: a restart from an old snapshot, a failover to a replica that lags, a
/// flush. So they are compared when the connection was lost, when Redis shows that it went back,
/// and once in a lease's length. The lease's thread's.
final class Reconciliation {
    private final Leasing leasing;
    private final Consumer<Settled> settle;
    private final Listener listener;
    private final int every;
    private Leasing.Doubt doubt = Leasing.Doubt.NONE;
    private int looks;

    /// @param settle makes settlements again that Redis has lost
    /// @param every without a doubt, they are compared at each so many calls
    Reconciliation(Leasing leasing, Consumer<Settled> settle, Listener listener, int every) {
        this.leasing = leasing;
        this.settle = settle;
        this.listener = listener;
        this.every = every;
    }

    void note(Leasing.Doubt more) {
        if (more.compareTo(doubt) > 0) {
            doubt = more;
        }
    }

    /// A doubt that could not be settled stays.
    ///
    /// @throws dev.mawashi.redis.RedisFailure when Redis does not answer
    void compareIfDue(String owner, Collection<String> queues) {
        looks++;
        if (doubt == Leasing.Doubt.NONE && looks % every != 0) {
            return;
        }
        boolean hasGoneBack = doubt == Leasing.Doubt.WENT_BACK;
        Leasing.Differences found = leasing.compare(owner, queues, hasGoneBack);
        doubt = Leasing.Doubt.NONE;
        found.again().forEach(settle);
        if (hasGoneBack || !found.isNone()) {
            report(found);
        }
    }

    private void report(Leasing.Differences found) {
        int givenBack = 0;
        for (Settled one : found.again()) {
            givenBack += one.settlement() instanceof Settlement.Requeue ? 1 : 0;
        }
        int settledAgain = found.again().size() - givenBack;
        listener.on(new Event.RedisWentBack(settledAgain, givenBack, found.heldAgain()));
    }
}
