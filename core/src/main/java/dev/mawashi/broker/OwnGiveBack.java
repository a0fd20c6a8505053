package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.List;

/// Moves arrivals of this process that nobody claimed back to the head of their queue, some at a
/// time.
///
/// Redis may run a step late that was given up, when another job has arrived, and runs. So the next
/// one raises the floor under the tokens above that of the lost one, as the next claim does after a
/// lost claim, and nobody parks before that.
final class OwnGiveBack {
    private final RedisConnection connection;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final QueueLayout layout;
    private final Script script;

    OwnGiveBack(
            RedisConnection connection,
            Holdings holdings,
            ArrivalLists arrivals,
            QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        this.arrivals = arrivals;
        this.layout = layout;
        script = Sides.of(layout).script("give_back.lua");
    }

    /// What arrived for one owner.
    void all(String queue, String owner) {
        long left;
        do {
            left = some(queue, owner);
        } while (left != 0);
    }

    private long some(String queue, String owner) {
        boolean mustFence = arrivals.isGiveBackLost(queue);
        List<byte[]> args = new ArrayList<>(GiveBack.LIMITS);
        args.add(Keys.bytes(owner));
        args.add(ascii(Long.toString(mustFence ? holdings.skip() : holdings.next())));
        args.add(ascii(mustFence ? "fence" : ""));
        connection.queueEval(
                script,
                List.of(
                        Keys.bytes(layout.arrivals(queue, owner)),
                        Keys.bytes(layout.queue(queue)),
                        Keys.bytes(layout.inflight(queue, owner)),
                        Keys.bytes(layout.leases(queue))),
                args);
        try {
            long left = Replies.number(connection.flush().getFirst());
            if (mustFence && left >= 0) {
                arrivals.fenced(queue);
            }
            return left;
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.UNKNOWN) {
                arrivals.giveBackLost(queue);
            }
            throw failure;
        }
    }
}
