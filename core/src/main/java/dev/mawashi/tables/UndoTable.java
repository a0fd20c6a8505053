package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The entries that acts keep for their undo, and the undo itself. One thread's.
///
/// What an act takes away is kept by the script that takes it away, so that it is in one place or
/// the other whenever a process dies. What an act only moves is noted before: a note of what then
/// was not moved does nothing, since only what is where the act put it moves back. All of it has a
/// time to live, and each undoing goes in steps that any process may carry on.
public final class UndoTable {
    private static final Script PUT_BACK = Script.beside(UndoTable.class, "put_back.lua");
    private static final Script MOVE_BACK = Script.beside(UndoTable.class, "move_back.lua");
    private static final Script UNQUEUE = Script.beside(UndoTable.class, "unqueue.lua");
    private static final Script PUT_BACK_JOBS = Script.beside(UndoTable.class, "put_back_jobs.lua");

    /// Entries of a set in one step.
    private static final int SOME = 100;

    /// Jobs in one step, each of which Redis looks for among so many of its queue's newest.
    private static final int UNQUEUED = 20;

    private static final byte[] LOOKED_AT = ascii("2000");
    private static final byte[] TTL = ascii("" + Keeping.KEPT.toSeconds());

    private final RedisConnection connection;

    public UndoTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// An entry of a set and its score, as Redis writes it.
    public record Scored(byte[] entry, String score) {}

    /// A job that an act put into a queue, and what it was in its set.
    public record Enqueued(String queue, byte[] payload, byte[] entry, String score) {}

    public boolean exists(String act) {
        return Long.valueOf(1).equals(connection.call("EXISTS", Keys.undo(act)));
    }

    /// Notes where entries are before they are buried or get another time.
    public void note(List<Scored> entries, Keeping keeping) {
        int kept = keeping.take(entries.stream().map(Scored::entry).toList());
        if (kept == 0) {
            return;
        }
        List<byte[]> command = new ArrayList<>(List.of(ascii("ZADD"), keeping.key()));
        for (Scored one : entries.subList(0, kept)) {
            command.add(ascii(one.score()));
            command.add(one.entry());
        }
        write(command, keeping);
    }

    /// Notes jobs before they are enqueued.
    public void noteEnqueued(List<Enqueued> jobs, Keeping keeping) {
        int kept = keeping.take(jobs.stream().map(UndoTable::both).toList());
        if (kept == 0) {
            return;
        }
        List<byte[]> command = new ArrayList<>(List.of(ascii("RPUSH"), keeping.key()));
        for (Enqueued job : jobs.subList(0, kept)) {
            command.add(Keys.bytes(job.queue()));
            command.add(job.payload());
            command.add(job.entry());
            command.add(ascii(job.score()));
        }
        write(command, keeping);
    }

    /// For its size: both are kept.
    private static byte[] both(Enqueued job) {
        return new byte[job.payload().length + job.entry().length];
    }

    /// Notes jobs before they move to another queue.
    public void noteMoved(List<QueueEditing.Move> moves, Keeping keeping) {
        int kept = keeping.take(moves.stream().map(QueueEditing.Move::payload).toList());
        if (kept == 0) {
            return;
        }
        List<byte[]> command = new ArrayList<>(List.of(ascii("RPUSH"), keeping.key()));
        for (QueueEditing.Move move : moves.subList(0, kept)) {
            command.add(move.payload());
            command.add(move.changed());
        }
        write(command, keeping);
    }

    private void write(List<byte[]> command, Keeping keeping) {
        connection.queue(command.toArray(byte[][]::new));
        connection.queue(ascii("EXPIRE"), keeping.key(), TTL);
        RedisCalls.flush(connection);
    }

    /// Puts what was removed from a set, or buried, back into it.
    ///
    /// @param moved where the act put it; null when it was removed
    /// @return how many entries
    public long putBack(String act, JobSet set, @Nullable JobSet moved) {
        List<byte[]> keys =
                new ArrayList<>(List.of(Keys.bytes(Keys.undo(act)), Keys.bytes(set.key())));
        if (moved != null) {
            keys.add(Keys.bytes(moved.key()));
        }
        long back = 0;
        while (true) {
            List<?> reply = list(connection.eval(PUT_BACK, keys, List.of(ascii("" + SOME))));
            back += RedisCalls.number(reply.get(1));
            if (RedisCalls.number(reply.get(0)) == 0) {
                return back;
            }
        }
    }

    /// Gives entries that are in the set still their time of before.
    ///
    /// @return how many
    public long putBackTimes(String act, JobSet set) {
        String key = Keys.undo(act);
        long back = 0;
        while (true) {
            List<?> some = list(connection.call("ZRANGE", key, "0", "" + (SOME - 1), "WITHSCORES"));
            if (some.isEmpty()) {
                return back;
            }
            List<byte[]> add =
                    new ArrayList<>(
                            List.of(
                                    ascii("ZADD"),
                                    Keys.bytes(set.key()),
                                    ascii("XX"),
                                    ascii("CH")));
            List<byte[]> forget = new ArrayList<>(List.of(ascii("ZREM"), Keys.bytes(key)));
            for (int i = 0; i < some.size(); i += 2) {
                add.add((byte[]) some.get(i + 1));
                add.add((byte[]) some.get(i));
                forget.add((byte[]) some.get(i));
            }
            back += RedisCalls.number(connection.call(add.toArray(byte[][]::new)));
            connection.call(forget.toArray(byte[][]::new));
        }
    }

    /// Takes jobs that have not begun back into their set; of a queue only its newest are looked
    /// at.
    ///
    /// @return how many
    public long unqueue(String act, JobSet set) {
        long back = 0;
        String key = Keys.undo(act);
        while (true) {
            List<?> some = list(connection.call("LRANGE", key, "0", "" + (4 * UNQUEUED - 1)));
            if (some.isEmpty()) {
                return back;
            }
            for (int i = 0; i < some.size(); i += 4) {
                connection.queueEval(
                        UNQUEUE,
                        List.of(
                                Keys.bytes(key),
                                queue((byte[]) some.get(i)),
                                Keys.bytes(set.key())),
                        List.of(
                                LOOKED_AT,
                                (byte[]) some.get(i),
                                (byte[]) some.get(i + 1),
                                (byte[]) some.get(i + 2),
                                (byte[]) some.get(i + 3)));
            }
            back += RedisCalls.sum(connection);
        }
    }

    private static byte[] queue(byte[] name) {
        byte[] prefix = Keys.bytes(Keys.queue(""));
        byte[] key = new byte[prefix.length + name.length];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        System.arraycopy(name, 0, key, prefix.length, name.length);
        return key;
    }

    /// Puts jobs that were removed to the head of their queue.
    ///
    /// @return how many
    public long putBackJobs(String act, String queue) {
        return RedisCalls.number(
                connection.eval(
                        PUT_BACK_JOBS,
                        List.of(
                                Keys.bytes(Keys.undo(act)),
                                Keys.bytes(Keys.queue(queue)),
                                Keys.bytes(Keys.QUEUES)),
                        List.of(Keys.bytes(queue))));
    }

    /// Moves jobs that wait in the other queue still to the head of the one where they were.
    ///
    /// @return how many
    public long moveBack(String act, String queue, String other) {
        List<byte[]> keys =
                List.of(
                        Keys.bytes(Keys.undo(act)),
                        Keys.bytes(Keys.queue(other)),
                        Keys.bytes(Keys.queue(queue)),
                        Keys.bytes(Keys.QUEUES));
        List<byte[]> args = List.of(Keys.bytes(queue), ascii("" + SOME));
        long back = 0;
        while (true) {
            List<?> reply = list(connection.eval(MOVE_BACK, keys, args));
            back += RedisCalls.number(reply.get(1));
            if (RedisCalls.number(reply.get(0)) == 0) {
                return back;
            }
        }
    }

    private static List<?> list(@Nullable Object reply) {
        return (List<?>) Objects.requireNonNull(reply);
    }
}
