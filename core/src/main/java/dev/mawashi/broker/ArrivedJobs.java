package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts jobs in flight in Redis that arrived and run already. One thread's.
///
/// One that Redis refuses to put in flight stays where it is. It still runs here, so nobody parks
/// at its queue, no claim looks at its arrivals, and what comes of its run waits: both are settled
/// when Redis takes it.
final class ArrivedJobs {
    /// Bits of the reply of arrive.lua.
    private static final int IN_FLIGHT = 1;

    private static final int UNLEASED = 2;

    private final RedisConnection connection;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final QueueLayout layout;
    private final Script arrive;
    private final RedisFailure unanswered = RedisFailure.postponed("the job is not in flight yet");

    /// Jobs that are to be put in flight and are not, by token, each with the reason.
    private final Map<Long, RedisFailure> waiting = new HashMap<>();

    ArrivedJobs(
            RedisConnection connection,
            Holdings holdings,
            ArrivalLists arrivals,
            QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        this.arrivals = arrivals;
        this.layout = layout;
        arrive = Sides.of(layout).script("arrive.lua");
    }

    /// Puts those in flight that arrived, in a round trip before the others: a script that Redis
    /// does not have yet is sent again behind all that went with it.
    ///
    /// @return why Redis takes nothing at all now; null when it does
    @Nullable RedisFailure putInFlight(List<Settled> settled) {
        List<Lease> arrived = new ArrayList<>();
        for (Settled one : settled) {
            if (one.settlement() instanceof Settlement.Arrived && arrivals.isBegun(one.lease())) {
                queue(one.lease());
                arrived.add(one.lease());
                waiting.put(one.lease().token(), unanswered);
            }
        }
        if (arrived.isEmpty()) {
            return null;
        }
        List<@Nullable Object> replies = connection.flush();
        for (Object reply : replies) {
            if (reply instanceof RedisFailure refusal && !refusal.isOfOneCommand()) {
                return refusal;
            }
        }
        for (int i = 0; i < arrived.size(); i++) {
            Lease lease = arrived.get(i);
            if (replies.get(i) instanceof RedisFailure refusal) {
                waiting.put(lease.token(), refusal);
            } else {
                note(lease, Replies.number(replies.get(i)));
                waiting.remove(lease.token());
            }
        }
        return null;
    }

    /// Why a job that arrived is not in flight yet; null when there is nothing to wait for.
    @Nullable RedisFailure waitsFor(Lease lease) {
        return waiting.isEmpty() ? null : waiting.get(lease.token());
    }

    private void queue(Lease lease) {
        String queue = lease.queue();
        connection.queueEval(
                arrive,
                List.of(
                        Keys.bytes(layout.arrivals(queue, lease.owner())),
                        Keys.bytes(layout.inflight(queue, lease.owner())),
                        Keys.bytes(layout.leases(queue)),
                        Keys.bytes(layout.recovered(queue))),
                List.of(
                        Keys.bytes(lease.owner()),
                        RedisConnection.ascii(Long.toString(lease.token())),
                        lease.payload()));
    }

    /// A job that is not in flight is held all the same by this process's account: it runs here. If
    /// Redis has lost it, the next comparison puts it in flight again; if others have recovered the
    /// owner, the next renewal shows it, and what the owner held is forgotten.
    private void note(Lease lease, int reply) {
        boolean isInFlight = (reply & IN_FLIGHT) != 0;
        holdings.claimed(lease.token(), List.of(lease));
        if ((reply & UNLEASED) != 0) {
            arrivals.unleased(lease.queue());
        }
        if (!isInFlight) {
            arrivals.missing();
        }
        arrivals.leave(lease.queue(), isInFlight);
    }
}
