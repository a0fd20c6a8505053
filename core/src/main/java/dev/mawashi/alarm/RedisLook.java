package dev.mawashi.alarm;

import dev.mawashi.event.Outage;
import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads what alarms need of Redis, in two round trips, the first of which is timed. One thread's.
public final class RedisLook implements AutoCloseable {
    /// Of more queues, the first are looked at.
    static final int QUEUES_MAX = 1_000;

    /// What is asked of each queue.
    private static final int QUEUE_REPLIES = 3;

    private final RedisConnection connection;
    private final List<String> queues;
    private final int deadMax;
    private final Outage outage;
    private final InstantSource clock;

    /// @param queues that the process serves, of Sidekiq's
    /// @param deadMax jobs that the dead set keeps
    public RedisLook(
            RedisConnection connection,
            List<String> queues,
            int deadMax,
            Outage outage,
            InstantSource clock) {
        this.connection = connection;
        this.queues = queues.stream().limit(QUEUES_MAX).toList();
        this.deadMax = deadMax;
        this.outage = outage;
        this.clock = clock;
    }

    /// @return empty when Redis does not answer
    public Optional<RedisReading> look() {
        try {
            connection.connect();
            long sent = System.nanoTime();
            connection.call("PING");
            return Optional.of(read(Duration.ofNanos(System.nanoTime() - sent)));
        } catch (RedisFailure failure) {
            outage.failed("alarms", failure);
            return Optional.empty();
        }
    }

    private RedisReading read(Duration roundTrip) {
        RedisCalls.queue(connection, "ZCARD", Keys.DEAD);
        for (String queue : queues) {
            RedisCalls.queue(connection, "LLEN", Keys.queue(queue));
            RedisCalls.queue(connection, "LLEN", Keys.suspects(queue));
            RedisCalls.queue(connection, "SISMEMBER", Keys.PAUSED, queue);
        }
        List<@Nullable Object> replies = connection.flush();
        List<RedisReading.Depth> depths = new ArrayList<>();
        long suspects = 0;
        for (int i = 0; i < queues.size(); i++) {
            int at = 1 + i * QUEUE_REPLIES;
            suspects += number(replies.get(at + 1));
            depths.add(
                    new RedisReading.Depth(
                            queues.get(i),
                            number(replies.get(at)),
                            number(replies.get(at + 2)) > 0));
        }
        return new RedisReading(
                roundTrip, depths, suspects, number(replies.getFirst()), deadMax, certificateEnd());
    }

    /// 0 for a key that Redis refuses to count: others report it.
    private static long number(@Nullable Object reply) {
        return reply instanceof Long count ? count : 0;
    }

    /// A connection shows the certificate of the day when it was opened. One that lapses may have
    /// been replaced since: the next look opens another.
    private Optional<Instant> certificateEnd() {
        Optional<Instant> end = connection.certificateEnd();
        if (end.isPresent() && RedisRules.lapses(end.get(), clock.instant())) {
            connection.close();
        }
        return end;
    }

    @Override
    public void close() {
        connection.close();
    }
}
