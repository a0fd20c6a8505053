package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The Redis that jobs come to. Each step may be repeated after a lost reply. One thread's.
///
/// The jobs that are to be a queue's next ones gather beside it, oldest first, and are worked on
/// from the splice on: so they keep their order, and come before all that waits there already.
public final class MigrationTarget {
    private static final Script ADD = Script.beside(MigrationTarget.class, "add_batch.lua");
    private static final Script SPLICE = Script.beside(MigrationTarget.class, "splice.lua");

    /// How long a batch is remembered that has ended: longer than a call may be under way whose
    /// sender has given it up.
    private static final Duration REMEMBERED = Duration.ofHours(1);

    /// How long it is remembered that a queue has got its next jobs: what comes later, also by
    /// another run, goes behind them.
    private static final byte[] SPLICE_REMEMBERED = ascii("" + Duration.ofDays(7).toSeconds());

    private static final byte[] ONLY_LOOK = ascii("0");

    private static final byte[] STEP_JOBS_MAX = ascii("250");
    private static final byte[] STEP_BYTES_MAX = ascii("" + (256 << 10));

    private final RedisConnection connection;
    private final QueueLayout from;
    private final QueueLayout to;

    /// @param from layout of the queues that are moved
    /// @param to their layout here: another one for a Resque that gets another namespace
    public MigrationTarget(RedisConnection connection, QueueLayout from, QueueLayout to) {
        this.connection = connection;
        this.from = from;
        this.to = to;
    }

    /// A place of the other Redis in this one. Those of a batch that another run has left are not
    /// renamed.
    private MigratedPlace here(MigratedPlace place) {
        return from.equals(to) || !place.layout().equals(from) ? place : place.in(to);
    }

    /// Sees whether a place takes a batch.
    ///
    /// @throws RedisFailure when it does not
    public void check(MigratedPlace place) {
        MigrationBatch nothing = MigrationBatch.of("none", place, false, "");
        add(nothing, List.of());
        if (place.isQueue()) {
            splice(place, ONLY_LOOK);
        }
    }

    /// Puts states of iterable jobs here, before the jobs come that go on from there.
    public void put(List<IterationState> states) {
        for (IterationState state : states) {
            List<byte[]> command = new ArrayList<>(List.of(ascii("HSET"), state.key()));
            command.addAll(state.pairs());
            connection.queue(command.toArray(byte[][]::new));
            if (state.seconds() > 0) {
                connection.queue(ascii("EXPIRE"), state.key(), ascii("" + state.seconds()));
            }
        }
        if (!states.isEmpty()) {
            var _ = RedisCalls.flush(connection);
        }
    }

    /// Adds a batch, unless it is there.
    ///
    /// @param locks of each its digest and what its field holds
    public void add(MigrationBatch batch, List<byte[]> locks) {
        MigratedPlace place = here(batch.place());
        if (place.kind() == MigratedPlace.Kind.DELAYED) {
            new DelayedBatches(connection, place).add(batch);
            return;
        }
        List<byte[]> args = new ArrayList<>(List.of(place.word()));
        args.add(Keys.bytes(place.listed()));
        args.add(place.newSide());
        args.add(ascii("" + locks.size() / 2));
        args.addAll(locks);
        args.addAll(batch.entries());
        Object _ =
                connection.eval(
                        ADD,
                        List.of(
                                Keys.bytes(Keys.added(batch.id())),
                                batch.isFirst()
                                        ? Keys.bytes(place.layout().brought(place.name()))
                                        : place.bytes(),
                                Keys.bytes(place.names()),
                                Keys.bytes(Keys.LOCKS)),
                        args);
    }

    /// Of the seconds of a batch of delayed jobs those whose lists Redis refuses, each with the
    /// reason; none of other batches.
    public SequencedMap<String, RedisFailure> refusedSeconds(MigrationBatch batch) {
        return batch.place().kind() == MigratedPlace.Kind.DELAYED
                ? new DelayedBatches(connection, here(batch.place())).refused(batch)
                : new LinkedHashMap<>();
    }

    /// Lets the mark of a batch expire, once the batch has ended.
    public void forget(MigrationBatch batch) {
        connection.call("EXPIRE", Keys.added(batch.id()), "" + REMEMBERED.toSeconds());
    }

    /// Whether a queue has got its next jobs from a migration lately.
    public boolean isSpliced(MigratedPlace queue) {
        String mark = here(queue).layout().spliced(queue.name());
        return RedisCalls.number(connection.call("EXISTS", mark)) > 0;
    }

    /// Makes the jobs that were brought the next ones of a queue, in steps.
    public void splice(MigratedPlace queue) {
        splice(queue, SPLICE_REMEMBERED);
    }

    private void splice(MigratedPlace place, byte[] seconds) {
        QueueLayout layout = here(place).layout();
        String queue = place.name();
        Script splice = layout.nextIsLeft() ? SPLICE.mirrored() : SPLICE;
        List<byte[]> keys =
                List.of(
                        Keys.bytes(layout.brought(queue)),
                        Keys.bytes(layout.queue(queue)),
                        Keys.bytes(layout.names()),
                        Keys.bytes(layout.spliced(queue)));
        List<byte[]> args = List.of(Keys.bytes(queue), STEP_JOBS_MAX, STEP_BYTES_MAX, seconds);
        while (RedisCalls.number(connection.eval(splice, keys, args)) == 0) {
            // The queue has more.
        }
    }
}
