package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Removes entries from lists and sets by what stands in them, with the locks of jobs among them,
/// and keeps nothing for an undo. Each step removes some entries whole, so that whoever is cut off
/// between two may begin again. One thread's.
public final class Erasing {
    private static final Script DELETE = Script.beside(Erasing.class, "delete_jobs.lua");
    private static final Script TAKE_OUT = Script.beside(Erasing.class, "take_out.lua");
    private static final byte[] LOCKS = Keys.bytes(Keys.LOCKS);
    private static final byte[] NO = ascii("0");
    private static final int PAGE = 500;

    /// So that no step holds Redis for long; one entry goes whatever its size.
    private static final int STEP_BYTES = 256 << 10;

    private static final int STEP_ENTRIES = 100;

    private final RedisConnection connection;
    private final LimitedReads limited;
    private final Predicate<byte[]> wanted;
    private final boolean isDry;

    /// @param wanted whether an entry is to go
    /// @param isDry whether to count only
    public Erasing(RedisConnection connection, Predicate<byte[]> wanted, boolean isDry) {
        this.connection = connection;
        limited = new LimitedReads(connection);
        this.wanted = wanted;
        this.isDry = isDry;
    }

    /// Looks through a list.
    ///
    /// @param newest the end at which entries join: where some leave at the other, none is passed
    ///   over
    /// @param before hears of each entry before it is removed
    /// @return how many were removed
    public long list(String key, LimitedReads.Side newest, Consumer<byte[]> before) {
        long removed = 0;
        long passed = 0;
        while (true) {
            List<byte[]> page = limited.part(Keys.bytes(key), newest, passed, PAGE);
            if (page.isEmpty()) {
                return removed;
            }
            List<QueueEditing.Waiting> found = new ArrayList<>();
            for (int i = 0; i < page.size(); i++) {
                if (wanted.test(page.get(i))) {
                    long place = passed + i;
                    boolean isLeft = newest == LimitedReads.Side.LEFT;
                    found.add(new QueueEditing.Waiting(page.get(i), isLeft ? place : -1 - place));
                }
            }
            long gone = isDry ? found.size() : remove(key, found, before);
            removed += gone;
            passed += page.size() - (isDry ? 0 : gone);
        }
    }

    private long remove(String key, List<QueueEditing.Waiting> found, Consumer<byte[]> before) {
        long removed = 0;
        int from = 0;
        while (from < found.size()) {
            int to = end(found, from);
            List<QueueEditing.Waiting> some = new ArrayList<>();
            for (QueueEditing.Waiting one : found.subList(from, to)) {
                before.accept(one.payload());
                some.add(new QueueEditing.Waiting(one.payload(), shifted(one.place(), removed)));
            }
            long began = System.nanoTime();
            List<byte[]> keys = List.of(Keys.bytes(key), LOCKS);
            removed +=
                    new Taking(connection, DELETE, keys, NO, Taking.Reach.NEAR)
                            .run(some, some.stream().map(Erasing::words).toList());
            // Lets others have Redis for as long as this took.
            LockSupport.parkNanos(System.nanoTime() - began);
            from = to;
        }
        return removed;
    }

    private static List<byte[]> words(QueueEditing.Waiting job) {
        return QueueEditing.words(false, job.payload());
    }

    private static long shifted(long place, long removed) {
        return place < 0 ? Math.min(-1, place + removed) : Math.max(0, place - removed);
    }

    private static int end(List<QueueEditing.Waiting> found, int from) {
        long bytes = 0;
        int to = from;
        while (to < found.size() && to - from < STEP_ENTRIES) {
            bytes += found.get(to).payload().length;
            if (bytes > STEP_BYTES && to > from) {
                break;
            }
            to++;
        }
        return to;
    }

    /// Looks through a sorted set.
    ///
    /// @return how many entries were removed
    public long set(String key) {
        long removed = 0;
        String cursor = "0";
        int count = PAGE;
        do {
            LimitedReads.Step step = limited.scanSet(Keys.bytes(key), cursor, count, null);
            cursor = step.cursor();
            count = Math.min(PAGE, step.count() * 2);
            List<byte[]> found = new ArrayList<>();
            for (int i = 0; i < step.pairs().size(); i += 2) {
                if (wanted.test(step.pairs().get(i))) {
                    found.add(step.pairs().get(i));
                }
            }
            removed += isDry ? found.size() : remove(key, found);
        } while (!cursor.equals("0"));
        return removed;
    }

    private long remove(String key, List<byte[]> entries) {
        long removed = 0;
        for (int from = 0; from < entries.size(); from += STEP_ENTRIES) {
            List<byte[]> some =
                    entries.subList(from, Math.min(entries.size(), from + STEP_ENTRIES));
            List<byte[]> args = new ArrayList<>(List.of(NO, NO));
            for (byte[] entry : some) {
                args.add(entry);
                args.addAll(JobLock.words(entry));
            }
            removed +=
                    RedisCalls.number(
                            connection.eval(TAKE_OUT, List.of(Keys.bytes(key), LOCKS), args));
        }
        return removed;
    }

    /// Deletes what an act has kept for its undo, all of it, if any of that is to go.
    ///
    /// @param act its id
    /// @return how many entries were to go
    public long kept(String act) {
        String key = Keys.undo(act);
        Erasing look = isDry ? this : new Erasing(connection, wanted, true);
        if (!Long.valueOf(1).equals(connection.call("EXISTS", key))) {
            return 0;
        }
        long found;
        try {
            found = look.list(key, LimitedReads.Side.LEFT, _ -> {});
        } catch (RedisFailure failure) {
            if (!failure.reason().contains("WRONGTYPE")) {
                throw failure;
            }
            found = look.set(key);
        }
        if (found > 0 && !isDry) {
            connection.call("UNLINK", key);
        }
        return found;
    }
}
