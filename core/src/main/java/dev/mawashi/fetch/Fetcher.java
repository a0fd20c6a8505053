package dev.mawashi.fetch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Epoch;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// A capsule's way to its queues: claims from them in their order and waits while they are empty.
/// One thread's, but for `stop`.
///
/// Of jobs of a few microseconds slots would be through with one claim before the next is there,
/// most of all where Redis is some way off. So while that much is wanted, up to three claims are
/// sent before the first is answered, over the same connection: their jobs, and the tokens of
/// these, keep the order of the queue. Each is its own command, so that Redis is held no longer at
/// a time. What is under way is collected, by `claim`, before anything else is done with Redis.
public final class Fetcher implements AutoCloseable {
    /// Most jobs of one claim: for a thousand Redis runs the script for some 0.8 ms, during which
    /// it answers nobody else.
    public static final int CLAIM_MAX = 1_000;

    private static final int ASKED_MAX = 3;

    /// Most bytes claimed at a time, unless a single payload is larger.
    private static final int BYTES_MAX = 1 << 20;

    private final Claiming claiming;
    private final Arrivals arrivals;
    private final Rest rest;
    private final Epoch epoch;
    private final Deque<List<String>> asked = new ArrayDeque<>();
    private final Runnable onPause;
    private OpenQueues queues;
    private boolean isDrained = true;

    /// @param receiver is handed what arrives for this capsule
    public Fetcher(Broker broker, OpenQueues queues, Epoch epoch, Receiver receiver) {
        this.claiming = broker.claiming();
        this.arrivals = new Arrivals(broker, queues, epoch, receiver);
        this.rest = arrivals.rest();
        this.queues = queues;
        this.epoch = epoch;
        onPause = arrivals::wake;
        queues.pauses().onChange(onPause);
    }

    /// The queues that it fetches from.
    public QueueOrder order() {
        return queues.order();
    }

    /// Fetches from these queues from now on. Called while no claim is under way. What arrived in a
    /// queue that is not among them the next claim gives back.
    public void follow(QueueOrder order) {
        queues = new OpenQueues(order, queues.pauses());
        arrivals.follow(order);
    }

    /// Claims jobs for the present epoch, or brings what an earlier call has asked for. Claims that
    /// are under way afterwards are there to be claimed next.
    ///
    /// @param room how many jobs are wanted, with those that were asked for; at most `CLAIM_MAX` of
    ///   them come at a time
    public Claiming.Claimed claim(int room) {
        // Those of claims that failed.
        while (asked.size() > claiming.asked()) {
            asked.removeFirst();
        }
        // Asked once: a parker may signal at any moment.
        boolean hasArrival = arrivals.hasSignalled();
        arrivals.forgetBegun();
        if (claiming.asked() == 0 && (hasArrival || room < 2 * CLAIM_MAX)) {
            return claimAlone(Math.min(room, CLAIM_MAX));
        }
        // Jobs that arrived are given back only while no claim is under way.
        int most = hasArrival ? 0 : ASKED_MAX;
        while (claiming.asked() < most && room >= (claiming.asked() + 1) * CLAIM_MAX) {
            List<String> named = openQueues(queues.paused());
            claiming.ask(named, epoch.owner(), CLAIM_MAX, BYTES_MAX);
            asked.addLast(named);
        }
        isDrained = true;
        List<String> named = asked.removeFirst();
        Claiming.Claimed claimed = claiming.answer();
        note(claimed, named, CLAIM_MAX);
        return claimed;
    }

    /// Those that may hold a job, of as many as one claim may name, in the order of this claim.
    private List<String> openQueues(Set<String> paused) {
        List<String> all = queues.next(ThreadLocalRandom.current(), paused, rest.full(paused));
        if (rest.isEmpty()) {
            return all;
        }
        int left = Rest.NAMED_MAX;
        List<String> named = new ArrayList<>();
        for (String queue : all) {
            boolean isOfRest = rest.contains(queue);
            if (!isOfRest || (left > 0 && epoch.leased().use(queue))) {
                named.add(queue);
                left -= isOfRest ? 1 : 0;
            }
        }
        return named;
    }

    private void note(Claiming.Claimed claimed, List<String> named, int most) {
        isDrained = claimed.leases().size() < most;
        if (isDrained && !rest.isEmpty()) {
            rest.doubt(named);
            isDrained = !rest.hasWork();
        }
    }

    /// Whether the last claim brought less than it asked for, and nothing has come since; at first
    /// true.
    public boolean isDrained() {
        return isDrained && !arrivals.hasBegun();
    }

    /// Whether a claim is under way, which `claim` brings.
    public boolean hasAsked() {
        return claiming.asked() > 0;
    }

    private Claiming.Claimed claimAlone(int most) {
        List<String> arrivedIn = arrivals.takeSignalled();
        Set<String> paused = queues.paused();
        List<String> named = openQueues(paused);
        Claiming.Claimed claimed = claiming.claim(named, epoch.owner(), most, BYTES_MAX);
        note(claimed, named, most);
        if (!arrivedIn.isEmpty()) {
            // What woke us may be left over; another process shall have it.
            boolean isLeftOver = claimed.leases().size() >= most;
            giveBackAfterClaim(isLeftOver ? arrivedIn : unnamed(arrivedIn, named));
        }
        return claimed;
    }

    /// Paused ones, and those that are served no more.
    private static List<String> unnamed(List<String> arrivedIn, List<String> named) {
        return arrivedIn.stream().filter(queue -> !named.contains(queue)).toList();
    }

    private void giveBackAfterClaim(List<String> arrivedIn) {
        try {
            claiming.giveBack(arrivedIn, epoch.owner());
        } catch (RedisFailure _) {
            // The jobs that were just claimed must not be lost over this.
            arrivals.signalAgain(arrivedIn);
        }
    }

    /// Queues that nobody parks at and that may hold a job.
    List<String> restWithJobs() {
        return rest.full(Set.of());
    }

    /// Ends a wait, from any thread.
    public void wake() {
        arrivals.wake();
    }

    /// Waits until work may have come. Called only while a slot is idle.
    public void await() {
        arrivals.await();
    }

    /// The same, for at most so long.
    public void await(Duration most) {
        arrivals.await(most);
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
            claiming.giveBack(queues, epoch.owner());
        } catch (RedisFailure failure) {
            arrivals.signalAgain(queues);
            throw failure;
        }
    }

    /// Ends every wait, from any thread; nothing is fetched after that.
    public void stop() {
        arrivals.close();
    }

    /// Waits until nothing can arrive any more, after `stop`.
    ///
    /// @param most longest wait
    public void awaitStop(Duration most) {
        arrivals.awaitEnd(most);
    }

    @Override
    public void close() {
        queues.pauses().forget(onPause);
        arrivals.close();
        claiming.close();
    }
}
