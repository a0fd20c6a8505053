package dev.mawashi.dispatch;

import dev.mawashi.children.Child;
import dev.mawashi.children.ChildListener;
import dev.mawashi.children.ChildPool;
import dev.mawashi.event.Listener;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The children of a pool, as the capsules share them whose jobs they run: each capsule has a lane,
/// and none knows of the others. The children are forked when all of these capsules have started.
public final class Crew implements ChildPool.User {
    /// How long a child may take to give back what it has not begun.
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(1);

    private static final long LOOK_NANOS = Duration.ofMillis(2).toNanos();

    private final ChildPool pool;

    /// By lane. Complete before the first starts.
    private final Map<Integer, Lane> lanes = new TreeMap<>();

    private @Nullable Listener listener;
    private int started;

    public Crew(ChildPool pool) {
        this.pool = pool;
    }

    ChildPool pool() {
        return pool;
    }

    /// Has the children run a capsule's jobs too.
    synchronized void join(int lane, Lane capsule, Listener heard) {
        lanes.put(lane, capsule);
        listener = heard;
    }

    /// One of the capsules starts.
    void start() {
        boolean isLast;
        synchronized (this) {
            started++;
            isLast = started == pool.lanes();
        }
        if (isLast) {
            pool.start(this);
        }
    }

    @Override
    public ChildListener listener(int place) {
        Company company = company();
        lanes.forEach((lane, capsule) -> {
            if (pool.slots(lane, place) > 0) {
                company.add(lane, capsule.jobs(place, company));
            }
        });
        return company;
    }

    private Company company() {
        return new Company(Objects.requireNonNull(listener));
    }

    @Override
    public void ready(Child child, ChildListener its) {
        Company company = (Company) its;
        company.open(child);
        lanes.forEach((lane, capsule) -> {
            ChildJobs jobs = company.of(lane);
            if (jobs != null) {
                capsule.ready(child, jobs);
            }
        });
    }

    @Override
    public void leave(Child child, ChildListener its, String why) {
        // Its successor is to begin these first.
        await(RETURN_PATIENCE, ((Company) its).leave(child, why));
    }

    static void await(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /// Forks a child for one job of a lane at a time. It ends when it has none.
    ///
    /// @param jobs makes what takes what the child reports of them
    /// @throws dev.mawashi.children.ChildFailure when there is none
    Child forkAlone(int lane, Function<Neighbours, ChildJobs> jobs) {
        Company company = company();
        company.add(lane, jobs.apply(company));
        Child child = pool.forkAlone(company, lane);
        company.open(child);
        return child;
    }
}
