package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// An operator's changes to jobs in the schedule, retry and dead sets. An entry is known by its
/// exact bytes; one that somebody else took meanwhile is skipped. Jobs that are deleted or buried
/// have their locks freed in the same step, those of a clear right after it, see `ClearedLocks`.
/// One thread's.
public final class SetEditing implements AutoCloseable {
    /// Most entries in one call, so that no script holds Redis for long.
    public static final int ENTRIES_MAX = 100;

    // The broker's own, since jobs move like that without an operator too.
    private static final Script PROMOTE = Script.beside(Broker.class, "promote.lua");
    private static final Script KILL = Script.beside(Broker.class, "kill.lua");
    private static final Script TAKE_OUT = Script.beside(SetEditing.class, "take_out.lua");
    private static final Script CLEAR = Script.beside(SetEditing.class, "clear_set.lua");

    private final RedisConnection connection;

    public SetEditing(RedisConnection connection) {
        this.connection = connection;
    }

    /// An entry on its way to a queue.
    ///
    /// @param entry its bytes in the set
    /// @param payload its bytes for the queue
    public record Move(byte[] entry, String queue, byte[] payload) {}

    /// The result of a burial.
    ///
    /// @param moved entries moved to the dead set
    /// @param trimmed old entries that left it
    public record Buried(int moved, int trimmed) {}

    /// Moves entries to the back of their queues.
    ///
    /// @return how many were moved
    public int toQueues(JobSet set, List<Move> moves) {
        Map<String, List<byte[]>> byQueue = new LinkedHashMap<>();
        for (Move move : moves) {
            List<byte[]> args =
                    byQueue.computeIfAbsent(
                            move.queue(), queue -> new ArrayList<>(List.of(Keys.bytes(queue))));
            args.add(move.entry());
            args.add(move.payload());
        }
        byQueue.forEach((queue, args) ->
                connection.queueEval(
                        PROMOTE,
                        List.of(
                                Keys.bytes(set.key()),
                                Keys.bytes(Keys.QUEUES),
                                Keys.bytes(Keys.queue(queue))),
                        args));
        return RedisCalls.sum(connection);
    }

    /// Moves entries to the dead set and trims that.
    public Buried bury(JobSet set, List<byte[]> entries, DeadLimits limits) {
        if (set == JobSet.DEAD) {
            throw new IllegalArgumentException("the dead set's entries are buried");
        }
        List<byte[]> keys =
                List.of(Keys.bytes(set.key()), Keys.bytes(Keys.DEAD), Keys.bytes(Keys.LOCKS));
        List<byte[]> args = new ArrayList<>(limits.args());
        entries.forEach(entry -> addWithLock(entry, args));
        List<?> reply = (List<?>) Objects.requireNonNull(connection.eval(KILL, keys, args));
        return new Buried(RedisCalls.number(reply.get(0)), RedisCalls.number(reply.get(1)));
    }

    private static void addWithLock(byte[] entry, List<byte[]> args) {
        args.add(entry);
        args.addAll(JobLock.words(entry));
    }

    /// Changes when entries are due; their bytes stay.
    ///
    /// @return how many were due at another time before
    public int reschedule(JobSet set, List<byte[]> entries, Instant due) {
        byte[] score =
                ascii(
                        String.format(
                                Locale.ROOT,
                                "%d.%06d",
                                due.getEpochSecond(),
                                due.getNano() / 1_000));
        List<byte[]> command =
                new ArrayList<>(
                        List.of(ascii("ZADD"), Keys.bytes(set.key()), ascii("XX"), ascii("CH")));
        for (byte[] entry : entries) {
            command.add(score);
            command.add(entry);
        }
        return RedisCalls.number(connection.call(command.toArray(byte[][]::new)));
    }

    /// Removes entries.
    ///
    /// @return how many were there
    public int delete(JobSet set, List<byte[]> entries, Keeping keeping) {
        int kept = keeping.take(entries);
        List<byte[]> keys = new ArrayList<>(List.of(Keys.bytes(set.key()), Keys.bytes(Keys.LOCKS)));
        if (kept > 0) {
            keys.add(keeping.key());
        }
        List<byte[]> args =
                new ArrayList<>(List.of(ascii("" + Keeping.KEPT.toSeconds()), ascii("" + kept)));
        entries.forEach(entry -> addWithLock(entry, args));
        return RedisCalls.number(connection.eval(TAKE_OUT, keys, args));
    }

    /// Removes all entries.
    ///
    /// @return how many there were
    public int clear(JobSet set, Keeping keeping) {
        byte[] place = Keys.bytes(Keys.cleared(set.key()));
        List<byte[]> keys = List.of(Keys.bytes(set.key()), Keys.bytes(Keys.LOCKS), place);
        return Math.toIntExact(
                new ClearedLocks(connection, true, place)
                        .clear(CLEAR, keys, Keeping.limits(), keeping));
    }

    @Override
    public void close() {
        connection.close();
    }
}
