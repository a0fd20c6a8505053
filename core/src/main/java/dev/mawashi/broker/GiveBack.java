package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.List;

/// Moves arrivals of an older build back to the head of their queue, some at a time. For those of
/// this one see `OwnGiveBack`.
final class GiveBack {
    /// Most jobs and bytes of a step.
    static final List<byte[]> LIMITS = List.of(ascii("250"), ascii(Integer.toString(256 << 10)));

    private final RedisConnection connection;
    private final QueueLayout layout;
    private final Script script;

    GiveBack(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
        script = Sides.of(layout).script("give_back.lua");
    }

    /// All that there are.
    void allShared(String queue) {
        do {
            queueSharedSome(queue);
        } while (Replies.number(connection.flush().getFirst()) > 0);
    }

    /// As `allShared`, one step with the next `flush`, whose reply is the number that is left.
    void queueSharedSome(String queue) {
        connection.queueEval(
                script,
                List.of(Keys.bytes(layout.sharedArrivals(queue)), Keys.bytes(layout.queue(queue))),
                LIMITS);
    }
}
