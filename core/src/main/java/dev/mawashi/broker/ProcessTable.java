package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The process records and counters in Redis that Sidekiq's page, API and autoscalers read. One
/// thread's.
public final class ProcessTable implements AutoCloseable {
    private static final String TTL_SECONDS = "60";
    private static final String COUNTER_TTL_SECONDS = Long.toString(5L * 365 * 24 * 60 * 60);

    private final RedisConnection connection;

    public ProcessTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// Measures a round trip, in microseconds.
    public long pingMicros() {
        long sent = System.nanoTime();
        connection.call("PING");
        return (System.nanoTime() - sent) / 1_000;
    }

    /// Writes the record and what runs, in one transaction.
    ///
    /// @return a signal that someone sent to this process through Redis; null when there is none
    public @Nullable String beat(ProcessBeat beat, Instant now) {
        String id = beat.identity();
        queue("MULTI");
        queue("SADD", Keys.PROCESSES, id);
        queue(
                "HSET",
                Keys.process(id),
                "info",
                beat.info(),
                "concurrency",
                Integer.toString(beat.concurrency()),
                "busy",
                Integer.toString(beat.work().size()),
                "beat",
                seconds(now),
                "rtt_us",
                Long.toString(beat.rttMicros()),
                "quiet",
                Boolean.toString(beat.isQuiet()),
                "rss",
                Long.toString(beat.rssKib()));
        queue("EXPIRE", Keys.process(id), TTL_SECONDS);
        for (String key : List.of(Keys.work(id), Keys.workers(id))) {
            queue("UNLINK", key);
            for (ProcessBeat.Work work : beat.work()) {
                queue("HSET", key, work.slot(), json(work));
            }
            queue("EXPIRE", key, TTL_SECONDS);
        }
        queue("RPOP", Keys.signals(id));
        queue("EXEC");
        List<@Nullable Object> replies = flush();
        List<?> results = (List<?>) replies.getLast();
        return results != null && results.getLast() instanceof byte[] signal
                ? new String(signal, StandardCharsets.UTF_8)
                : null;
    }

    private static String json(ProcessBeat.Work work) {
        String payload = new String(work.payload(), StandardCharsets.UTF_8);
        return "{\"queue\":"
                + Json.quote(work.queue())
                + ",\"payload\":"
                + Json.quote(payload)
                + ",\"run_at\":"
                + work.startedAt()
                + "}";
    }

    private static String seconds(Instant now) {
        return String.format(Locale.ROOT, "%d.%06d", now.getEpochSecond(), now.getNano() / 1_000);
    }

    /// Adds to the totals and to the UTC day's counters.
    public void count(long processed, long failed, Instant now) {
        String day = LocalDate.ofInstant(now, ZoneOffset.UTC).toString();
        queue("MULTI");
        add(Keys.STAT_PROCESSED, processed, day);
        add(Keys.STAT_FAILED, failed, day);
        queue("EXEC");
        flush();
    }

    private void add(String counter, long number, String day) {
        String daily = Keys.daily(counter, day);
        queue("INCRBY", counter, Long.toString(number));
        queue("INCRBY", daily, Long.toString(number));
        queue("EXPIRE", daily, COUNTER_TTL_SECONDS);
    }

    /// Removes the records of processes that ended without saying so; at most once a minute for all
    /// processes together.
    public void removeGhosts() {
        if (connection.call("SET", "process_cleanup", "1", "NX", "EX", "60") == null) {
            return;
        }
        List<String> identities = new ArrayList<>();
        if (connection.call("SMEMBERS", Keys.PROCESSES) instanceof List<?> members) {
            for (Object member : members) {
                identities.add(new String((byte[]) member, StandardCharsets.UTF_8));
            }
        }
        for (String identity : identities) {
            queue("HEXISTS", Keys.process(identity), "info");
        }
        List<@Nullable Object> exist = identities.isEmpty() ? List.of() : flush();
        for (int i = 0; i < exist.size(); i++) {
            if (exist.get(i) instanceof Long found && found == 0) {
                connection.call("SREM", Keys.PROCESSES, identities.get(i));
            }
        }
    }

    /// Removes this process's record.
    public void leave(String identity) {
        queue("SREM", Keys.PROCESSES, identity);
        queue("UNLINK", Keys.work(identity), Keys.workers(identity), Keys.process(identity));
        flush();
    }

    private void queue(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = words[i].getBytes(StandardCharsets.UTF_8);
        }
        connection.queue(command);
    }

    private List<@Nullable Object> flush() {
        List<@Nullable Object> replies = connection.flush();
        for (Object reply : replies) {
            if (reply instanceof RedisFailure refusal) {
                throw refusal;
            }
        }
        return replies;
    }

    @Override
    public void close() {
        connection.close();
    }
}
