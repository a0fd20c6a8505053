package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// The delayed jobs of resque-scheduler in Redis (docs/formats/resque.md, "Delayed jobs"). One
/// thread's, but for `wake`.
public final class DelayedJobs implements Session {
    private static final Script DUE = Script.beside(DelayedJobs.class, "delayed_due.lua");
    private static final Script FIRST = Script.beside(DelayedJobs.class, "delayed_first.lua");
    private static final Script POSTPONE = Script.beside(DelayedJobs.class, "delayed_postpone.lua");
    private static final Script MOVE = Script.beside(DelayedJobs.class, "delayed.lua");

    private final RedisConnection connection;
    private final KeyWatch watch;
    private final ResqueKeys keys;
    private final String lock;

    /// The jobs that are due.
    ///
    /// @param hasMaster whether a resque-scheduler sees to the jobs
    /// @param second the first second that has due jobs, spelled as in its key
    /// @param nextMillis until the next second that is not due yet; empty when there is none
    /// @param now the present second by Redis's clock
    public record Due(
            boolean hasMaster, Optional<String> second, OptionalLong nextMillis, long now) {}

    /// A job on its way.
    ///
    /// @param entry its bytes in the second's list
    /// @param payload its bytes for the queue
    public record Move(byte[] entry, byte[] payload) {}

    /// @param watch of the seconds that have jobs, and of the lock
    DelayedJobs(KeyWatch watch, ResqueKeys keys, String lock) {
        this.connection = watch.connection();
        this.watch = watch;
        this.keys = keys;
        this.lock = lock;
    }

    public Due due() {
        watch.track();
        List<byte[]> names = List.of(Keys.bytes(keys.delayedSchedule()), Keys.bytes(lock));
        List<?> reply = (List<?>) Objects.requireNonNull(connection.eval(DUE, names, List.of()));
        long next = (Long) reply.get(1);
        return new Due(
                ((Long) reply.get(0)) == 1,
                reply.size() > 3 && reply.get(3) instanceof byte[] second
                        ? Optional.of(new String(second, StandardCharsets.UTF_8))
                        : Optional.empty(),
                next < 0 ? OptionalLong.empty() : OptionalLong.of(next),
                (Long) reply.get(2));
    }

    /// The first jobs of a second, in the order in which they were delayed.
    ///
    /// @param mostBytes of them; one is listed whatever its size
    public List<byte[]> first(String second, int most, int mostBytes) {
        List<byte[]> jobs = new ArrayList<>();
        Object reply =
                connection.eval(
                        FIRST,
                        List.of(Keys.bytes(keys.delayed(second))),
                        List.of(ascii(Integer.toString(most)), ascii(Integer.toString(mostBytes))));
        for (Object job : (List<?>) Objects.requireNonNull(reply)) {
            jobs.add((byte[]) job);
        }
        return jobs;
    }

    /// Moves a second's first jobs to a queue. A second that has no jobs left is forgotten, also
    /// when called without jobs.
    ///
    /// @return how many were moved; empty when a resque-scheduler sees to them
    public OptionalLong move(String second, String queue, List<Move> moves) {
        List<byte[]> names = new ArrayList<>();
        names.add(Keys.bytes(lock));
        names.add(Keys.bytes(keys.delayedSchedule()));
        names.add(Keys.bytes(keys.delayed(second)));
        names.add(Keys.bytes(keys.queues()));
        names.add(Keys.bytes(keys.layout().queue(queue)));
        List<byte[]> args = new ArrayList<>();
        args.add(Keys.bytes(second));
        args.add(ascii(ResqueKeys.delayedName(second)));
        args.add(Keys.bytes(queue));
        for (Move move : moves) {
            names.add(keys.timestamps(move.entry()));
            args.add(move.entry());
            args.add(move.payload());
        }
        long moved = (Long) Objects.requireNonNull(connection.eval(MOVE, names, args));
        return moved < 0 ? OptionalLong.empty() : OptionalLong.of(moved);
    }

    /// Delays a second's first jobs until a later second.
    ///
    /// @return how many were delayed; empty when a resque-scheduler sees to them
    public OptionalLong postpone(String second, long later, List<Move> moves) {
        String last = Long.toString(later);
        List<byte[]> names = new ArrayList<>();
        names.add(Keys.bytes(lock));
        names.add(Keys.bytes(keys.delayedSchedule()));
        names.add(Keys.bytes(keys.delayed(second)));
        names.add(Keys.bytes(keys.delayed(last)));
        List<byte[]> args = new ArrayList<>();
        args.add(Keys.bytes(second));
        args.add(ascii(ResqueKeys.delayedName(second)));
        args.add(ascii(last));
        args.add(ascii(ResqueKeys.delayedName(last)));
        for (Move move : moves) {
            names.add(keys.timestamps(move.entry()));
            args.add(move.entry());
        }
        long moved = (Long) Objects.requireNonNull(connection.eval(POSTPONE, names, args));
        return moved < 0 ? OptionalLong.empty() : OptionalLong.of(moved);
    }

    /// Postpones a second whose jobs cannot be read; its list keeps its key.
    public void postponeSecond(String second, long later) {
        connection.call("ZADD", keys.delayedSchedule(), "XX", Long.toString(later), second);
    }

    /// Waits until jobs were delayed since the last `due`, a master came or went, or the wait is
    /// over.
    public void awaitChange(Duration wait) {
        watch.awaitOrPoll(wait);
    }

    /// Ends a wait from another thread.
    public void wake() {
        watch.wake();
    }

    @Override
    public void close() {
        watch.close();
    }
}
