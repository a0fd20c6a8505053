package dev.mawashi.fetch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.redis.RedisFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// A capsule's way to its queues: claims from them in their order and waits while they are empty.
/// One thread's, but for `stop`.
public final class Fetcher implements AutoCloseable {
    /// Most bytes claimed at a time, unless a single payload is larger.
    private static final int BYTES_MAX = 4 << 20;

    private final Claiming claiming;
    private final Arrivals arrivals;
    private final OpenQueues queues;
    private final Epoch epoch;
    private final Runnable onPause;

    /// @param onArrival called, on any thread, when a job arrived for this capsule
    public Fetcher(Broker broker, OpenQueues queues, Epoch epoch, Runnable onArrival) {
        this.claiming = broker.claiming();
        this.arrivals = new Arrivals(broker, queues, onArrival);
        this.queues = queues;
        this.epoch = epoch;
        onPause = arrivals::wake;
        queues.pauses().onChange(onPause);
    }

    /// The queues that it fetches from.
    public QueueOrder order() {
        return queues.order();
    }

    /// Claims up to `most` jobs for the present epoch.
    public Claiming.Claimed claim(int most) {
        List<String> arrivedIn = arrivals.takeSignalled();
        Set<String> paused = queues.paused();
        List<String> order = queues.next(ThreadLocalRandom.current(), paused);
        Claiming.Claimed claimed = claiming.claim(order, epoch.owner(), most, BYTES_MAX);
        if (!arrivedIn.isEmpty()) {
            // What woke us may be left over; another process shall have it.
            boolean isLeftOver = claimed.leases().size() >= most;
            giveBackAfterClaim(
                    arrivedIn.stream().filter(q -> isLeftOver || paused.contains(q)).toList());
        }
        return claimed;
    }

    private void giveBackAfterClaim(List<String> arrivedIn) {
        try {
            claiming.giveBack(arrivedIn);
        } catch (RedisFailure _) {
            // The jobs that were just claimed must not be lost over this.
            arrivals.signalAgain(arrivedIn);
        }
    }

    /// Claims one suspect, to be run while nothing else runs in this process.
    public Optional<Claiming.Suspect> claimSuspect() {
        return claiming.claimSuspect(queues.open(), epoch.owner());
    }

    /// A suspect no longer runs alone; see `Claiming.absolve`.
    public void absolve(Lease suspect, boolean isInnocent) {
        claiming.absolve(suspect, isInnocent);
    }

    /// Ends a wait, from any thread.
    public void wake() {
        arrivals.wake();
    }

    /// Waits until work may have come. Called only while a slot is idle.
    public void await() {
        arrivals.await();
    }

    /// True when a job arrived for us after the last claim. Without an idle slot it must be given
    /// back.
    public boolean hasArrival() {
        return arrivals.hasSignalled();
    }

    /// Gives back what arrived for us and we have no slot for.
    public void giveBack() {
        List<String> queues = arrivals.takeSignalled();
        try {
            claiming.giveBack(queues);
        } catch (RedisFailure failure) {
            arrivals.signalAgain(queues);
            throw failure;
        }
    }

    /// Ends every wait, from any thread; nothing is fetched after that.
    public void stop() {
        arrivals.close();
    }

    @Override
    public void close() {
        queues.pauses().forget(onPause);
        arrivals.close();
        claiming.close();
    }
}
