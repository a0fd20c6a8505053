package dev.mawashi.fleet;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads how long the leases of our processes still hold, by Redis's clock. One thread's.
///
/// A process has a lease on each of its first queues, and renews them together; the one on its
/// first queue stands for all.
public final class LeaseReader {
    /// Queues that are looked at, each of them once for all processes.
    private static final int QUEUES_MAX = 200;

    /// Leases that are read of one queue, those that hold longest.
    private static final String LEASES_MAX = "999";

    private static final byte[] ZRANGE = RedisConnection.ascii("ZRANGE");
    private static final byte[][] RANGE = {
        RedisConnection.ascii("0"),
        RedisConnection.ascii(LEASES_MAX),
        RedisConnection.ascii("REV"),
        RedisConnection.ascii("WITHSCORES")
    };

    private final RedisConnection connection;

    public LeaseReader(RedisConnection connection) {
        this.connection = connection;
    }

    /// How long the lease of each process holds. It is below zero once it has lapsed.
    ///
    /// @return by identity; without processes that have none, such as Sidekiq's
    public Map<String, Duration> of(Collection<ProcessRecord> processes) {
        Set<String> queues = new LinkedHashSet<>();
        for (ProcessRecord process : processes) {
            if (process.isMawashi() && queues.size() < QUEUES_MAX) {
                process.info().queues().stream().limit(1).forEach(queues::add);
            }
        }
        Map<String, Long> ends = ends(queues);
        Map<String, Duration> leases = new HashMap<>();
        if (!ends.isEmpty()) {
            long now = now();
            for (ProcessRecord process : processes) {
                Long end = ends.get(process.identity());
                if (end != null) {
                    leases.put(process.identity(), Duration.ofMillis(end - now));
                }
            }
        }
        return leases;
    }

    private Map<String, Long> ends(Set<String> queues) {
        Map<String, Long> ends = new HashMap<>();
        if (queues.isEmpty()) {
            return ends;
        }
        for (String queue : queues) {
            connection.queue(
                    ZRANGE, Keys.bytes(Keys.leases(queue)), RANGE[0], RANGE[1], RANGE[2], RANGE[3]);
        }
        for (Object reply : connection.flush()) {
            if (reply instanceof RedisFailure refusal && !refusal.code().equals("WRONGTYPE")) {
                throw refusal;
            }
            List<?> pairs = reply instanceof List<?> list ? list : List.of();
            for (int i = 0; i + 1 < pairs.size(); i += 2) {
                ends.merge(identity(text(pairs.get(i))), millis(text(pairs.get(i + 1))), Math::max);
            }
        }
        return ends;
    }

    /// Owners are `<identity>#<epoch>`.
    private static String identity(String owner) {
        int hash = owner.lastIndexOf('#');
        return hash < 0 ? owner : owner.substring(0, hash);
    }

    private static long millis(String score) {
        try {
            return (long) Double.parseDouble(score);
        } catch (NumberFormatException _) {
            return Long.MIN_VALUE / 2;
        }
    }

    private long now() {
        List<String> time = new ArrayList<>();
        if (connection.call("TIME") instanceof List<?> parts) {
            parts.forEach(part -> time.add(text(part)));
        }
        return Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000;
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }
}
