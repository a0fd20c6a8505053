package dev.mawashi.migrate;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The workers of a Resque: Resque's own, and those of Mawashi's processes.
///
/// @param alive those that beat, and those that never did
/// @param runs jobs that Resque's own have in hand: they are in no queue, and if such a worker is
///   dead another is yet to write its failure
record ResqueProcesses(long alive, long runs) {
    private static final String OURS = "mawashi@";

    /// As long as another worker of Resque's waits before it takes one for dead.
    private static final Duration SILENT = Duration.ofMinutes(5);

    /// The same of one of ours.
    private static final Duration OURS_SILENT = Duration.ofMinutes(1);

    static ResqueProcesses read(RedisConnection connection, ResqueKeys keys) {
        List<String> ids = ResqueHalf.texts(connection.call("SMEMBERS", keys.workers()));
        if (ids.isEmpty()) {
            return new ResqueProcesses(0, 0);
        }
        String seconds =
                ResqueHalf.texts(Objects.requireNonNull(connection.call("TIME"))).getFirst();
        Instant now = Instant.ofEpochSecond(Long.parseLong(seconds));
        for (String id : ids) {
            RedisCalls.queue(connection, "HGET", keys.heartbeats(), id);
            RedisCalls.queue(connection, "EXISTS", keys.worker(id));
        }
        List<@Nullable Object> replies = connection.flush();
        long alive = 0;
        long runs = 0;
        for (int i = 0; i < ids.size(); i++) {
            boolean isOurs = ids.get(i).startsWith(OURS);
            Instant oldest = now.minus(isOurs ? OURS_SILENT : SILENT);
            alive += isSilent(replies.get(2 * i), oldest) ? 0 : 1;
            runs += !isOurs && Long.valueOf(1).equals(replies.get(2 * i + 1)) ? 1 : 0;
        }
        return new ResqueProcesses(alive, runs);
    }

    private static boolean isSilent(@Nullable Object beat, Instant oldest) {
        try {
            return beat instanceof byte[] text
                    && OffsetDateTime.parse(ResqueHalf.text(text)).toInstant().isBefore(oldest);
        } catch (DateTimeException _) {
            return false;
        }
    }
}
