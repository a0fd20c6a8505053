package dev.mawashi.migrate;

import dev.mawashi.fleet.ProgramTurn;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.IterationState;
import dev.mawashi.tables.MigratedPlace;
import dev.mawashi.tables.MigrationBatch;
import dev.mawashi.tables.MigrationSource;
import dev.mawashi.tables.MigrationTarget;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/// Moves jobs of one place after the other, a batch at a time. One thread's.
///
/// A batch is taken into a key of the first Redis, added to the second together with a mark that
/// keeps it from being added again, and then forgotten in the first. So a crash between two steps
/// leaves a batch that `resume` ends, and no job is lost or there twice.
final class Transfer {
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final MigrationSource source;
    private final MigrationTarget target;
    private final ProgramTurn turn;
    private final Patience patience;
    private final String to;
    private final BooleanSupplier isStopped;
    private long kept;

    /// @param to the second Redis in words
    /// @param isStopped whether to end behind the batch that is under way
    Transfer(
            MigrationSource source,
            MigrationTarget target,
            ProgramTurn turn,
            Patience patience,
            String to,
            BooleanSupplier isStopped) {
        this.source = source;
        this.target = target;
        this.turn = turn;
        this.patience = patience;
        this.to = to;
        this.isStopped = isStopped;
    }

    /// Takes or keeps the turn to migrate.
    ///
    /// @throws MigrationFailure when another program has it
    void keepTurn() {
        Optional<ProgramTurn.Holder> other = patience.insist(turn::keep);
        if (other.isPresent()) {
            throw new MigrationFailure(
                    "%s migrates these jobs since %s: wait until that has ended; 30 s after its death it is over"
                            .formatted(other.get().by(), other.get().since()));
        }
        kept = System.nanoTime();
    }

    /// Ends the batch that a run before this one has left.
    ///
    /// @return the batch; empty where there is none
    /// @throws MigrationFailure when it is on its way to another Redis than this run's
    Optional<MigrationBatch> resume() {
        Optional<MigrationBatch> pending = patience.insist(source::pending);
        if (pending.isPresent() && !pending.get().to().equals(to)) {
            throw new MigrationFailure(
                    "a migration to %s has stopped with %s jobs on their way: end it first, with that as --to"
                            .formatted(pending.get().to(), pending.get().jobs()));
        }
        pending.ifPresent(batch -> finish(batch, false));
        return pending;
    }

    /// Sees whether the second Redis takes jobs of a place.
    ///
    /// @throws RedisFailure when it does not
    void check(MigratedPlace place) {
        patience.insist(() -> target.check(place));
    }

    int size(MigratedPlace place) {
        return patience.insist(() -> source.size(place));
    }

    /// Moves so many entries of a place, or fewer where it has fewer.
    ///
    /// @param isFirst see `MigrationBatch`
    /// @param progress gets the number of jobs in each batch
    /// @throws RedisFailure when a Redis refuses some; of delayed jobs all others are moved before
    void move(MigratedPlace place, boolean isFirst, int most, IntConsumer progress) {
        int left = most;
        RedisFailure refusal = null;
        while (left > 0 && !isStopped.getAsBoolean()) {
            if (System.nanoTime() - kept > TURN_NANOS) {
                keepTurn();
            }
            Optional<MigrationBatch> batch = take(place, isFirst, left);
            if (batch.isEmpty()) {
                break;
            }
            try {
                finish(batch.get(), true);
                progress.accept(batch.get().jobs());
                left -= Math.max(1, batch.get().jobs());
            } catch (RedisFailure failure) {
                refusal = passOver(batch.get(), failure);
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    /// Leaves those seconds of a batch whose lists the second Redis refuses, so that others go.
    ///
    /// @param failure of the batch, which is back in its place if it was refused
    /// @return the refusal of one
    /// @throws RedisFailure this failure, where it is not for such a second
    private RedisFailure passOver(MigrationBatch batch, RedisFailure failure) {
        if (failure.kind() == RedisFailure.Kind.REFUSED) {
            SequencedMap<String, RedisFailure> seconds =
                    patience.insist(() -> target.refusedSeconds(batch));
            if (!seconds.isEmpty()) {
                source.passOver(seconds.keySet());
                return seconds.firstEntry().getValue();
            }
        }
        throw failure;
    }

    private Optional<MigrationBatch> take(MigratedPlace place, boolean isFirst, int most) {
        MigrationBatch wanted = MigrationBatch.wanted(place, isFirst, to);
        try {
            return patience.insist(() -> source.take(turn.own(), wanted, most));
        } catch (MigrationSource.TurnLost _) {
            // While a Redis was away for long it may only have lapsed.
            keepTurn();
        }
        try {
            return patience.insist(() -> source.take(turn.own(), wanted, most));
        } catch (MigrationSource.TurnLost _) {
            throw new MigrationFailure(
                    "another program has begun to migrate these jobs, since this one stood still:"
                            + " call it again once that has ended");
        }
    }

    /// @param isNew whether it has certainly not been added before
    private void finish(MigrationBatch batch, boolean isNew) {
        List<byte[]> locks = patience.insist(() -> source.locks(batch));
        List<IterationState> states = patience.insist(() -> source.states(batch));
        add(batch, locks, states, isNew);
        patience.insist(() -> source.end(batch, locks));
        patience.insist(() -> source.drop(states));
        patience.insist(() -> target.forget(batch));
    }

    /// One that is certainly refused goes back. One whose reply was lost does not, even if the next
    /// call is refused: it may be there, or come there late.
    private void add(
            MigrationBatch batch, List<byte[]> locks, List<IterationState> states, boolean isNew) {
        boolean[] isUnsure = {!isNew};
        try {
            patience.insist(() -> target.put(states));
            patience.insist(() -> {
                try {
                    target.add(batch, locks);
                } catch (RedisFailure failure) {
                    isUnsure[0] |= failure.kind() == RedisFailure.Kind.UNKNOWN;
                    throw failure;
                }
            });
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.REFUSED) {
                giveBack(batch, failure, isUnsure[0]);
            }
            throw failure;
        }
    }

    private void giveBack(MigrationBatch batch, RedisFailure refusal, boolean isUnsure) {
        try {
            if (!isUnsure) {
                patience.insist(() -> source.giveBack(batch));
                return;
            }
        } catch (RedisFailure failure) {
            refusal.addSuppressed(failure);
        }
        throw new MigrationFailure(
                "%s (%s jobs are on their way: mend this, and call the same command again)"
                        .formatted(refusal.explanation(), batch.jobs()));
    }

    /// Whether a queue has got its next jobs, so that others go behind them.
    boolean isSpliced(MigratedPlace queue) {
        return patience.insist(() -> target.isSpliced(queue));
    }

    /// Makes the jobs that were brought to a queue its next ones.
    void splice(MigratedPlace queue) {
        patience.insist(() -> target.splice(queue));
    }
}
