package dev.mawashi.alarm;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Judges Redis, and the queues and sets in it. While Redis does not answer, what it was judged by
/// last stands. One thread's.
final class RedisRules {
    /// Sidekiq's bound; a Redis in the same network takes a hundredth of it.
    private static final Duration SLOW = Duration.ofMillis(50);

    /// One slow round trip is a pause of this machine.
    private static final int SLOW_IN_A_ROW = 4;

    /// A burst that is being worked off is no illness: a queue grows whose lowest depth in such a
    /// time is above the highest in the one before.
    private static final Duration HALF = Duration.ofMinutes(5);

    /// Fewer are worked off within moments.
    private static final long DEPTH_MIN = 100;

    private static final int NAMES_MAX = 5;

    /// In the last twentieth there is time to look before jobs drop out.
    private static final double DEAD_FULL = 0.95;

    /// Certificates that renew themselves do so with 30 days left, or a third of their time; below
    /// this the renewal has failed, and there is time to repair it.
    private static final Duration LAPSE = Duration.ofDays(14);

    private final Map<Alarm, String> last = new EnumMap<>(Alarm.class);
    private Map<String, Depths> before = Map.of();
    private Map<String, Depths> current = new HashMap<>();
    private @Nullable Duration halfBegan;
    private int slow;

    /// The least and the most jobs that waited in a queue.
    private record Depths(long least, long most) {
        Depths with(Depths more) {
            return new Depths(Math.min(least, more.least), Math.max(most, more.most));
        }
    }

    /// Whether a certificate that ends then should have been replaced.
    static boolean lapses(Instant end, Instant now) {
        return Duration.between(now, end).compareTo(LAPSE) < 0;
    }

    /// Adds the alarms that stand, each with its figure.
    void judge(Reading reading, Map<Alarm, String> standing) {
        reading.redis().ifPresent(redis -> judge(reading, redis));
        last.forEach((alarm, figure) -> standing.merge(alarm, figure, (first, _) -> first));
    }

    private void judge(Reading reading, RedisReading redis) {
        long millis = redis.roundTrip().toMillis();
        slow = redis.roundTrip().compareTo(SLOW) < 0 ? 0 : slow + 1;
        set(Alarm.REDIS_SLOW, slow >= SLOW_IN_A_ROW, "a round trip takes " + millis + " ms");
        set(Alarm.SUSPECTS, redis.suspects() > 0, redis.suspects() + " wait for that");
        set(
                Alarm.DEAD_SET_FULL,
                redis.dead() >= DEAD_FULL * redis.deadMax(),
                "%s jobs of at most %s".formatted(redis.dead(), redis.deadMax()));
        certificate(redis, reading.now());
        queues(redis.queues(), reading.at());
    }

    private void set(Alarm alarm, boolean isStanding, String figure) {
        if (isStanding) {
            last.put(alarm, figure);
        } else {
            last.remove(alarm);
        }
    }

    private void certificate(RedisReading redis, Instant now) {
        Instant end = redis.certificateEnd().orElse(Instant.MAX);
        boolean isStanding = redis.certificateEnd().isPresent() && lapses(end, now);
        set(Alarm.CERTIFICATE_LAPSES, isStanding, isStanding ? end(end, now) : "");
    }

    private static String end(Instant end, Instant now) {
        Duration left = Duration.between(now, end);
        return left.isNegative()
                ? "it has ended at " + end
                : "it ends in %s days, at %s".formatted(left.toDays(), end);
    }

    private void queues(List<RedisReading.Depth> depths, Duration at) {
        if (halfBegan == null) {
            halfBegan = at;
        }
        if (at.minus(halfBegan).compareTo(HALF) >= 0) {
            String growing = growing();
            set(Alarm.QUEUE_GROWS, !growing.isEmpty(), growing);
            before = current;
            current = new HashMap<>();
            halfBegan = at;
        }
        for (RedisReading.Depth depth : depths) {
            // Nobody expects a paused queue to shrink.
            long jobs = depth.isPaused() ? 0 : depth.jobs();
            current.merge(depth.queue(), new Depths(jobs, jobs), Depths::with);
        }
    }

    /// The queues that grow, by name, each with its depth; "" for none.
    private String growing() {
        Map<String, Long> growing = new TreeMap<>();
        current.forEach((queue, depths) -> {
            Depths old = before.get(queue);
            if (old != null && depths.least() >= DEPTH_MIN && depths.least() > old.most()) {
                growing.put(queue, depths.most());
            }
        });
        List<String> some =
                growing.entrySet().stream()
                        .limit(NAMES_MAX)
                        .map(one -> "%s jobs wait in %s".formatted(one.getValue(), one.getKey()))
                        .toList();
        int more = growing.size() - some.size();
        return String.join(", ", some) + (more > 0 ? " and more in " + more + " others" : "");
    }
}
