package dev.mawashi.migrate;

import dev.mawashi.broker.Leasing;
import dev.mawashi.fleet.ProgramTurn;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.MigratedPlace;
import dev.mawashi.tables.MigrationBatch;
import dev.mawashi.tables.MigrationSource;
import dev.mawashi.tables.MigrationTarget;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Moves an app's jobs from one Redis to another, while processes work on both. One thread's.
///
/// It makes passes over all places. At the first, the jobs of a queue go before those that wait in
/// the other Redis, in their order; what comes to the first Redis later goes behind, as new jobs
/// do. So each queue keeps the order of its own jobs, and begins with the oldest. Passes go on
/// while processes beat in the first Redis: they have jobs in hand, and retries and new jobs come.
public final class Migration implements AutoCloseable {
    /// How long a step is repeated whose Redis does not answer.
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long REST_NANOS = Duration.ofSeconds(1).toNanos();

    private final Ends ends;
    private final Progress progress;
    private final BooleanSupplier isStopped;
    private final Patience patience;
    private final RedisConnection source;
    private final RedisConnection target;
    private final Leasing leasing;
    private final Half half;
    private final ProgramTurn turn;
    private final Transfer transfer;
    private final Map<String, Long> moved = new HashMap<>();
    private final Map<String, String> refused = new HashMap<>();
    private final Set<String> begun = new HashSet<>();

    /// Hears how far it has come.
    public interface Progress {
        /// @param place by its key
        /// @param jobs that were moved from there in this pass
        void moved(String place, long jobs);

        /// Nothing is there to be moved now.
        void waits(Left left);
    }

    /// @param by who migrates, for others to read
    /// @param isStopped whether to end as soon as all that was taken has arrived
    /// @param patience `PATIENCE`, or less
    public Migration(
            Ends ends,
            String by,
            InstantSource clock,
            Progress progress,
            BooleanSupplier isStopped,
            Duration patience) {
        this.ends = ends;
        this.progress = progress;
        this.isStopped = isStopped;
        this.patience = new Patience(patience);
        source = ends.from().connect("migrate");
        target = ends.to().connect("migrate");
        leasing = ends.from().leasing();
        half = Half.of(ends.layout(), source, clock);
        turn =
                new ProgramTurn(
                        source, Keys.MIGRATING, UUID.randomUUID().toString(), by, clock.instant());
        transfer =
                new Transfer(
                        new MigrationSource(source),
                        new MigrationTarget(target, ends.layout(), ends.layoutThere()),
                        turn,
                        this.patience,
                        ends.names().to(),
                        isStopped);
    }

    /// Sees whether a migration can begin, and what there is to be moved.
    ///
    /// @throws MigrationFailure when it cannot
    public Found look() {
        ends.check();
        return half.find();
    }

    /// Moves all that is there.
    ///
    /// @param isOnce whether to end after one pass; otherwise when nothing is left, and no process
    ///   beats in the first Redis
    /// @throws MigrationFailure when it cannot begin or go on
    /// @throws RedisFailure when a Redis is away for too long, or refuses what is not of one place
    public Migrated run(boolean isOnce) {
        ends.check();
        transfer.keepTurn();
        try {
            transfer.resume().ifPresent(this::note);
            copySettings();
            while (true) {
                long before = sum();
                recover();
                pass();
                Left left = left();
                boolean isIdle = sum() == before;
                if (isOnce || isStopped.getAsBoolean() || (isIdle && isOver(left))) {
                    return new Migrated(moved, refused, left);
                }
                if (isIdle) {
                    progress.waits(left);
                    transfer.keepTurn();
                    LockSupport.parkNanos(REST_NANOS);
                }
            }
        } finally {
            turn.leave();
        }
    }

    private void copySettings() {
        half.settings(target, ends.layoutThere())
                .copies()
                .forEach((key, copy) -> attempt(key, () -> patience.insist(copy)));
    }

    private void note(MigrationBatch batch) {
        count(batch.place(), batch.jobs());
    }

    private void count(MigratedPlace place, long jobs) {
        if (jobs > 0) {
            moved.merge(place.key(), jobs, Long::sum);
        }
    }

    private long sum() {
        return moved.values().stream().mapToLong(n -> n).sum();
    }

    private Left left() {
        return Left.of(patience.insist(half::find), refused.keySet());
    }

    /// What lies in hand of a dead process without a lease is found by a look at all keys.
    private boolean isOver(Left left) {
        return left.isNothing()
                && patience.insist(() -> new Strays(source, ends.layout()).areNone());
    }

    /// Puts the jobs of dead processes back into their queues, and those that wait to be run alone
    /// once no process is left to do so.
    private void recover() {
        for (String queue : patience.insist(() -> leasing.queuesToRecover(""))) {
            attempt(
                    ends.layout().leases(queue),
                    () -> patience.insist(() -> leasing.recover(queue, "")));
        }
        for (String queue : patience.insist(leasing::queuesWithSuspects)) {
            attempt(
                    ends.layout().suspects(queue),
                    () -> patience.insist(() -> leasing.release("", List.of(queue))));
        }
    }

    private void pass() {
        patience.insist(half::find).jobs().keySet().forEach(this::attempt);
        patience.insist(half::counters).forEach(this::attempt);
    }

    private void attempt(MigratedPlace place) {
        if (!isStopped.getAsBoolean()
                && (isOfManyKeys(place) || !refused.containsKey(place.key()))) {
            attempt(place.key(), () -> move(place));
        }
    }

    /// Whether some of its jobs go though others were refused.
    private static boolean isOfManyKeys(MigratedPlace place) {
        return place.kind() == MigratedPlace.Kind.DELAYED;
    }

    /// What Redis refuses of one place stops no other.
    private void attempt(String key, Runnable step) {
        try {
            step.run();
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            refused.put(key, failure.explanation());
        }
    }

    private void move(MigratedPlace place) {
        boolean isQueue = place.isQueue();
        int size = transfer.size(place);
        if (begun.add(place.key()) && (isQueue || size > 0)) {
            transfer.check(place);
        }
        if (!isQueue || transfer.isSpliced(place)) {
            move(place, false, size);
            return;
        }
        try {
            move(place, true, size);
        } catch (RedisFailure failure) {
            // What has arrived is not to wait until a full Redis takes more. Otherwise the next run
            // goes on, in the same order.
            if (failure.kind() == RedisFailure.Kind.REFUSED) {
                transfer.splice(place);
            }
            throw failure;
        }
        transfer.splice(place);
    }

    private void move(MigratedPlace place, boolean isFirst, int most) {
        long[] jobs = {0};
        transfer.move(
                place,
                isFirst,
                most,
                some -> {
                    jobs[0] += some;
                    count(place, some);
                    progress.moved(place.key(), jobs[0]);
                });
    }

    @Override
    public void close() {
        leasing.close();
        source.close();
        target.close();
    }
}
