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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads what alarms need of Redis, in a few round trips, the first of which is timed. One
/// thread's.
public final class RedisLook implements AutoCloseable {
    /// Of more queues, the first are looked at.
    static final int QUEUES_MAX = 1_000;

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
            return Optional.of(read(connection.roundTrip()));
        } catch (RedisFailure failure) {
            outage.failed("alarms", failure);
            return Optional.empty();
        }
    }

    private RedisReading read(Duration roundTrip) {
        RedisCalls.queue(connection, "ZCARD", Keys.DEAD);
        queueForAll("EXISTS", Keys::queue);
        queueForAll("EXISTS", Keys::suspects);
        List<@Nullable Object> replies = connection.flush();
        // An idle server with many queues asks for no more.
        boolean haveJobs = !queues.isEmpty() && number(replies.get(1)) > 0;
        boolean haveSuspects = !queues.isEmpty() && number(replies.get(2)) > 0;
        return new RedisReading(
                roundTrip,
                haveJobs ? depths() : empty(),
                haveSuspects ? suspects() : 0,
                number(replies.getFirst()),
                deadMax,
                certificateEnd());
    }

    private List<RedisReading.Depth> depths() {
        List<@Nullable Object> lengths = lengths(Keys::queue);
        List<RedisReading.Depth> depths = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            RedisCalls.queue(connection, "SISMEMBER", Keys.PAUSED, queues.get(i));
        }
        List<@Nullable Object> paused = connection.flush();
        for (int i = 0; i < queues.size(); i++) {
            depths.add(
                    new RedisReading.Depth(
                            queues.get(i), number(lengths.get(i)), number(paused.get(i)) > 0));
        }
        return depths;
    }

    private List<RedisReading.Depth> empty() {
        return queues.stream().map(queue -> new RedisReading.Depth(queue, 0, false)).toList();
    }

    private long suspects() {
        return lengths(Keys::suspects).stream().mapToLong(RedisLook::number).sum();
    }

    private List<@Nullable Object> lengths(UnaryOperator<String> key) {
        queues.forEach(queue -> RedisCalls.queue(connection, "LLEN", key.apply(queue)));
        return connection.flush();
    }

    private void queueForAll(String command, UnaryOperator<String> key) {
        if (!queues.isEmpty()) {
            String[] words =
                    Stream.concat(Stream.of(command), queues.stream().map(key))
                            .toArray(String[]::new);
            RedisCalls.queue(connection, words);
        }
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
            connection.renew();
        }
        return end;
    }

    @Override
    public void close() {
        connection.close();
    }
}
