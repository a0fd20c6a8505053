package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Runs the scripts that take entries out of a list by the places that they had (mark_jobs.lua).
/// One thread's.
///
/// Most entries are near their places, and of those that are not most are gone; one call finds both
/// out. For the rest all of the list is gone through once, a part at a time (find_jobs.lua): the
/// first that is found shows how far the others were shifted.
final class Taking {
    private static final Script FIND = Script.beside(Taking.class, "find_jobs.lua");
    private static final byte[] FROM_LEFT = ascii("1");
    private static final byte[] FROM_RIGHT = ascii("-1");
    private static final int OVERLAP = 50;

    private final RedisConnection connection;
    private final Script script;
    private final List<byte[]> keys;
    private final byte[] first;
    private final Reach reach;
    private List<Entry> open = List.of();

    /// @param last what the script gets of it behind bytes and place
    private record Entry(byte[] payload, long place, List<byte[]> last) {
        Entry shifted(long shift) {
            // Beyond its list's end on that side from which places are counted, it would be
            // counted from the other.
            long there = place < 0 ? Math.min(-1, place + shift) : Math.max(0, place + shift);
            return new Entry(payload, there, last);
        }
    }

    /// The places to look at for an entry that is not near its own.
    enum Reach {
        /// On the side to which the others shift it that run or come. An entry that many moved to
        /// the other side, as those do that are returned to the head, counts as gone.
        NEAR,
        /// Everywhere, so that none counts as gone that is there.
        ALL
    }

    /// @param first the script's first argument
    Taking(
            RedisConnection connection,
            Script script,
            List<byte[]> keys,
            byte[] first,
            Reach reach) {
        this.connection = connection;
        this.script = script;
        this.keys = keys;
        this.first = first;
        this.reach = reach;
    }

    /// Runs the script until it has looked for each of them. Is called once.
    ///
    /// @param last what it gets of each behind bytes and place
    /// @return how many were there
    int run(List<QueueEditing.Waiting> jobs, List<List<byte[]>> last) {
        open =
                IntStream.range(0, jobs.size())
                        .mapToObj(i ->
                                new Entry(jobs.get(i).payload(), jobs.get(i).place(), last.get(i)))
                        .toList();
        return open.isEmpty() ? 0 : take(0) + search();
    }

    /// Takes those that are near; those that are neither there nor gone stay open.
    ///
    /// @param shift how far they have moved to the right
    private int take(long shift) {
        List<byte[]> args = new ArrayList<>(List.of(first));
        for (Entry entry : open) {
            args.add(entry.payload());
            args.add(ascii("" + entry.shifted(shift).place()));
            args.addAll(entry.last());
        }
        List<?> states = (List<?>) Objects.requireNonNull(connection.eval(script, keys, args));
        int found = 0;
        List<Entry> rest = new ArrayList<>();
        for (int i = 0; i < states.size(); i++) {
            int state = RedisCalls.number(states.get(i));
            if (state == 1) {
                found++;
            }
            if (state < 0 || (state == 0 && reach == Reach.ALL)) {
                rest.add(open.get(i));
            }
        }
        open = rest;
        return found;
    }

    /// Begins at the end where the entry is that was read last, since the fewest have come or gone
    /// since. Each part begins a little before the end of the one before, as others come and go.
    private int search() {
        int found = 0;
        long passed = 0;
        while (!open.isEmpty()) {
            long began = System.nanoTime();
            Part part = part(passed);
            if (part.number() > 0) {
                int taken = take(part.shift(open.get(part.number() - 1)));
                found += taken;
                passed = part.passed() - (taken > 0 ? taken + OVERLAP : 0);
            } else if (part.passed() < part.size()) {
                // A part of large entries is short.
                long overlap = Math.min(OVERLAP, (part.passed() - passed) / 2);
                passed = Math.max(passed + 1, part.passed() - overlap);
            } else {
                break;
            }
            // Lets others have Redis for as long as this took.
            LockSupport.parkNanos(System.nanoTime() - began);
        }
        return found;
    }

    /// A part of the list.
    ///
    /// @param number which of those that are open comes first in it, from 1; 0 for none
    /// @param passed how many entries there are up to that, or to the end of the part
    private record Part(long size, int number, long passed, boolean isFromLeft) {
        long shift(Entry found) {
            long left = isFromLeft ? passed - 1 : size - passed;
            return (found.place() < 0 ? left - size : left) - found.place();
        }
    }

    private Part part(long passed) {
        boolean isFromLeft = open.getFirst().place() < 0;
        List<byte[]> args =
                new ArrayList<>(
                        List.of(
                                isFromLeft ? FROM_LEFT : FROM_RIGHT,
                                ascii("" + Math.max(0, passed))));
        open.forEach(entry -> args.add(entry.payload()));
        List<?> reply =
                (List<?>)
                        Objects.requireNonNull(
                                connection.eval(FIND, List.of(keys.getFirst()), args));
        return new Part(
                (Long) reply.get(0),
                RedisCalls.number(reply.get(1)),
                (Long) reply.get(2),
                isFromLeft);
    }
}
