package dev.mawashi.fleet;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The process records and counters in Redis that Sidekiq's page, API and autoscalers read. One
/// thread's.
public final class ProcessTable implements AutoCloseable {
    private static final Script BEAT = Script.beside(ProcessTable.class, "beat.lua");
    private static final Script COUNT = Script.beside(ProcessTable.class, "count.lua");
    private static final String TTL_SECONDS = "60";
    private static final String CLEANUP = "process_cleanup";
    private static final String CLEANUP_SECONDS = "60";
    private static final byte[] INFO = RedisConnection.ascii("info");

    /// Processes that are looked at in one round trip.
    private static final int TOGETHER = 1_000;

    private static final String COUNTER_TTL_SECONDS = Long.toString(5L * 365 * 24 * 60 * 60);

    private final RedisConnection connection;

    public ProcessTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// Measures a round trip, in microseconds.
    public long pingMicros() {
        return connection.roundTrip().toNanos() / 1_000;
    }

    /// The answer of Redis to a beat.
    ///
    /// @param isNew whether there was no record: at the first beat, and when beats did not reach
    ///   Redis for as long as a record lives
    /// @param signal one that someone sent to this process through Redis; null when there is none
    public record BeatReply(boolean isNew, @Nullable String signal) {}

    /// Writes the record and what runs, in one step.
    public BeatReply beat(ProcessBeat beat) {
        String id = beat.record().identity();
        List<String> fields = beat.record().fields();
        List<String> args = new ArrayList<>(List.of(id, TTL_SECONDS, "" + fields.size()));
        args.addAll(fields);
        for (WorkEntry work : beat.work()) {
            args.addAll(List.of(work.slot(), work.json()));
        }
        List<String> keys =
                List.of(
                        Keys.PROCESSES,
                        Keys.process(id),
                        Keys.work(id),
                        Keys.workers(id),
                        Keys.signals(id));
        return connection.eval(BEAT, bytes(keys), bytes(args)) instanceof List<?> reply
                ? reply(reply)
                : new BeatReply(false, null);
    }

    private static BeatReply reply(List<?> reply) {
        String signal =
                reply.size() > 1 && reply.get(1) instanceof byte[] name
                        ? new String(name, StandardCharsets.UTF_8)
                        : null;
        return new BeatReply(reply.getFirst() instanceof Long found && found == 0, signal);
    }

    private static List<byte[]> bytes(List<String> texts) {
        return texts.stream().map(Keys::bytes).toList();
    }

    /// Adds to the totals and to the UTC day's counters.
    public void count(long processed, long failed, Instant now) {
        String day = LocalDate.ofInstant(now, ZoneOffset.UTC).toString();
        add(Keys.STAT_PROCESSED, processed, day);
        add(Keys.STAT_FAILED, failed, day);
        RedisCalls.flush(connection);
    }

    private void add(String counter, long number, String day) {
        connection.queueEval(
                COUNT,
                bytes(List.of(counter, Keys.daily(counter, day))),
                bytes(List.of(Long.toString(number), COUNTER_TTL_SECONDS)));
    }

    /// Takes processes that ended without saying so, and whose record has expired, out of the set
    /// of processes; at most once a minute for all processes together. A name whose key is no
    /// process's record goes too.
    public void removeGhosts() {
        RedisCalls.queue(connection, "SET", CLEANUP, "1", "NX", "EX", CLEANUP_SECONDS);
        // A key without an end, which someone made by hand, would keep all processes from removing
        // any.
        RedisCalls.queue(connection, "EXPIRE", CLEANUP, CLEANUP_SECONDS, "NX");
        if (RedisCalls.flush(connection).getFirst() == null) {
            return;
        }
        List<byte[]> identities = new ArrayList<>();
        if (connection.call("SMEMBERS", Keys.PROCESSES) instanceof List<?> members) {
            members.forEach(member -> identities.add((byte[]) member));
        }
        for (int from = 0; from < identities.size(); from += TOGETHER) {
            int to = Math.min(from + TOGETHER, identities.size());
            removeGhosts(identities.subList(from, to));
        }
    }

    private void removeGhosts(List<byte[]> identities) {
        for (byte[] identity : identities) {
            connection.queue(RedisConnection.ascii("HEXISTS"), identity, INFO);
        }
        List<@Nullable Object> found = connection.flush();
        List<byte[]> remove = new ArrayList<>(List.of(RedisCalls.words("SREM", Keys.PROCESSES)));
        for (int i = 0; i < identities.size(); i++) {
            boolean isOther =
                    found.get(i) instanceof RedisFailure refusal
                            && refusal.code().equals("WRONGTYPE");
            if (isOther || Long.valueOf(0).equals(found.get(i))) {
                remove.add(identities.get(i));
            }
        }
        if (remove.size() > 2) {
            connection.call(remove.toArray(byte[][]::new));
        }
    }

    /// Removes this process's record.
    public void leave(String identity) {
        RedisCalls.queue(connection, "SREM", Keys.PROCESSES, identity);
        RedisCalls.queue(
                connection,
                "UNLINK",
                Keys.work(identity),
                Keys.workers(identity),
                Keys.process(identity));
        RedisCalls.flush(connection);
    }

    @Override
    public void close() {
        connection.close();
    }
}
