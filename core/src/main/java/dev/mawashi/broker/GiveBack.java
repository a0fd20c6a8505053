package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.List;

/// Moves arrivals that nobody claimed back to the head of their queue, some at a time.
final class GiveBack {
    /// Most jobs and bytes of a step.
    private static final List<byte[]> LIMITS =
            List.of(ascii("250"), ascii(Integer.toString(256 << 10)));

    private final RedisConnection connection;
    private final QueueLayout layout;
    private final Script script;

    GiveBack(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
        script = Sides.of(layout).script("give_back.lua");
    }

    /// What arrived for one owner.
    void all(String queue, String owner) {
        do {
            queueSome(queue, layout.arrivals(queue, owner));
        } while (Replies.number(connection.flush().getFirst()) > 0);
    }

    /// What an older build has left.
    void allShared(String queue) {
        do {
            queueSharedSome(queue);
        } while (Replies.number(connection.flush().getFirst()) > 0);
    }

    /// As `allShared`, one step with the next `flush`, whose reply is the number that is left.
    void queueSharedSome(String queue) {
        queueSome(queue, layout.sharedArrivals(queue));
    }

    private void queueSome(String queue, String arrivals) {
        connection.queueEval(
                script, List.of(Keys.bytes(arrivals), Keys.bytes(layout.queue(queue))), LIMITS);
    }
}
