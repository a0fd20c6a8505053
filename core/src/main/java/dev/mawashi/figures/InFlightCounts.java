package dev.mawashi.figures;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Counts what the owners of queues hold, in one round trip.
///
/// @param layout of these queues
public record InFlightCounts(RedisConnection connection, QueueLayout layout) {
    /// @param owners those with a lease on each of the queues
    /// @return the number of jobs of each queue
    public List<Long> of(List<String> queues, List<List<String>> owners) {
        for (int i = 0; i < queues.size(); i++) {
            for (String owner : owners.get(i)) {
                String held = layout.inflight(queues.get(i), owner);
                RedisCalls.queue(connection, "HLEN", held);
                RedisCalls.queue(connection, "HEXISTS", held, "floor");
                RedisCalls.queue(connection, "HEXISTS", held, "solo");
                RedisCalls.queue(connection, "LLEN", layout.arrivals(queues.get(i), owner));
            }
        }
        boolean isHeld = owners.stream().anyMatch(some -> !some.isEmpty());
        Iterator<@Nullable Object> replies =
                (isHeld ? connection.flush() : List.<@Nullable Object>of()).iterator();
        List<Long> counts = new ArrayList<>();
        for (List<String> some : owners) {
            long sum = 0;
            for (int i = 0; i < some.size(); i++) {
                sum += number(replies.next());
                sum -= number(replies.next());
                sum -= number(replies.next());
                sum += number(replies.next());
            }
            counts.add(sum);
        }
        return counts;
    }

    /// A key of a wrong type holds none.
    private static long number(@Nullable Object reply) {
        return reply instanceof Long count ? count : 0;
    }
}
