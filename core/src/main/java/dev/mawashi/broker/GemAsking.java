package dev.mawashi.broker;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Asks for a job of a gem's schedule now. One thread's.
///
/// The gem's own code enqueues it, in a process of the app. Whoever wants it pushes a request to a
/// list; any process that fires for the gem takes it, and puts its answer into the request's own
/// list. A request that nobody has taken is taken back.
public final class GemAsking {
    private static final String REQUEST_SECONDS = "30";

    private final RedisConnection connection;

    public GemAsking(RedisConnection connection) {
        this.connection = connection;
    }

    /// Has a process of the app enqueue a schedule's job.
    ///
    /// @param requests key of the gem's list
    /// @param id of this request
    /// @param schedule as the gem's processes know it
    /// @return `+` and the jid, or `-` and the reason why there is none; empty when no process has
    ///   taken the request; null when one has and does not answer
    public @Nullable String run(String requests, String id, String schedule, Duration patience) {
        String request = id + " " + schedule;
        Object reply;
        try {
            RedisCalls.queue(connection, "LPUSH", requests, request);
            RedisCalls.queue(connection, "EXPIRE", requests, REQUEST_SECONDS);
            List<@Nullable Object> _ = RedisCalls.flush(connection);
            String seconds = String.format(Locale.ROOT, "%.3f", patience.toMillis() / 1_000.0);
            reply =
                    connection.callBlocking(
                            patience, RedisCalls.words("BLPOP", Keys.cronAnswer(id), seconds));
        } catch (RedisFailure failure) {
            try {
                boolean _ = takeBack(requests, request);
            } catch (RedisFailure _) {
                // Redis is away; the request ends by itself.
            }
            throw failure;
        }
        if (reply instanceof List<?> pair && pair.getLast() instanceof byte[] answer) {
            return new String(answer, StandardCharsets.UTF_8);
        }
        return takeBack(requests, request) ? "" : null;
    }

    /// @return false when a process has taken the request
    private boolean takeBack(String requests, String request) {
        return RedisCalls.number(connection.call("LREM", requests, "1", request)) == 1;
    }
}
