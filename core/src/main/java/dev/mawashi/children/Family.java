package dev.mawashi.children;

import dev.mawashi.job.Dialect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An app in Ruby processes: the parent that has loaded it, and the pools of children that it
/// forks. A parent that ends is booted anew by whichever pool first needs it.
///
/// A `Renewal` starts the next generation: a parent with new code. When that can run jobs it is the
/// one that forks; parents before it end with their last child.
public final class Family implements AutoCloseable {
    /// Generations before the present one whose jobs may still run.
    private static final int OLDER_MAX = 8;

    private final ParentSettings settings;
    private final ChildServices services;
    private final Consumer<String> onTrouble;
    private final ReentrantLock booting = new ReentrantLock();

    /// The one that has loaded the app, or is about to; whoever boots it holds `booting`, and only
    /// that, so that `close` ends a boot that hangs.
    private @Nullable RubyParent parent;

    private boolean isBooted;
    private Home home;
    private int generation = 1;

    /// The one with new code that is about to take over.
    private @Nullable RubyParent next;

    /// Those before, whose children still run jobs.
    private final Set<RubyParent> older = new HashSet<>();

    private final List<ChildPool> pools = new ArrayList<>();
    private int places;
    private boolean isQuiet;
    private boolean isClosed;

    /// @param onTrouble takes a line for the operator when a process ended that should not
    public Family(ParentSettings settings, ChildServices services, Consumer<String> onTrouble) {
        this.settings = settings;
        this.home = settings.home().get();
        this.services = services;
        this.onTrouble = onTrouble;
    }

    /// Starts Ruby and has it load the app.
    ///
    /// @return its report of it, in the order in which `mawashi/children/report.rb` writes it
    /// @throws ChildFailure when there is no such Ruby or the app cannot be loaded
    public List<String> boot() {
        booting.lock();
        try {
            RubyParent started = launch();
            started.awaitBoot();
            adopt(started);
            return started.report();
        } finally {
            booting.unlock();
        }
    }

    private synchronized RubyParent launch() {
        RubyParent present = present();
        if (present != null) {
            // One of new code has taken over meanwhile.
            return present;
        }
        if (isClosed) {
            throw new ChildFailure("the server ends");
        }
        isBooted = false;
        parent = RubyParent.launch(settings, home, generation, services);
        return parent;
    }

    private synchronized void adopt(RubyParent booted) {
        if (parent == booted && !isBooted) {
            isBooted = true;
            watch(booted);
        }
    }

    private void watch(RubyParent booted) {
        CompletableFuture<Void> _ = booted.end().thenRun(() -> lost(booted));
    }

    /// The parent, if it has booted and not ended.
    synchronized @Nullable RubyParent present() {
        return isBooted && !isClosed ? parent : null;
    }

    private synchronized void lost(RubyParent ended) {
        if (older.remove(ended)) {
            ended.close();
        } else if (parent == ended && !isClosed) {
            parent = null;
            isBooted = false;
            ended.close();
            onTrouble.accept("the Ruby parent process ended; it is started again");
        }
    }

    /// The parent, booted again if need be.
    ///
    /// @throws ChildFailure when that fails, or after `close`
    RubyParent parent() {
        booting.lock();
        try {
            RubyParent present = present();
            if (present == null) {
                List<String> _ = boot();
                present = present();
            }
            if (present == null) {
                throw new ChildFailure("the parent process ended");
            }
            return present;
        } finally {
            booting.unlock();
        }
    }

    /// The options of job classes as the present generation has them; see `ClassQuestions.ask`.
    ///
    /// @throws ChildFailure when there is no parent and none can be booted
    public String classOptions(List<String> names) {
        return parent().classOptions(names);
    }

    /// Where the present generation was started.
    public synchronized Home home() {
        return home;
    }

    /// Which start of the app's code is the present one, from 1.
    public synchronized int generation() {
        return generation;
    }

    /// Whether children of this generation are to be replaced by those of another.
    synchronized boolean isOld(int one) {
        return one != generation;
    }

    /// Starts Ruby for the next generation, which loads the app beside the present one.
    ///
    /// @throws ChildFailure when that cannot be now
    RubyParent launchNext() {
        // A file system that hangs must hold up no fork.
        Home newest = settings.home().get();
        return launchNext(newest);
    }

    private synchronized RubyParent launchNext(Home newest) {
        Optional<ChildFailure> refusal = refusal();
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        if (next != null) {
            throw new ChildFailure("new code is being started already");
        }
        if (older.size() >= OLDER_MAX) {
            throw new ChildFailure(
                    "jobs of "
                            + older.size()
                            + " generations before the present one still run: wait for their"
                            + " ends, or cancel them");
        }
        next = RubyParent.launch(settings, newest, generation + 1, services);
        return next;
    }

    /// Why no new generation is to begin; empty when it may.
    synchronized Optional<ChildFailure> refusal() {
        return isQuiet
                ? Optional.of(new ChildFailure("the process is quiet or stopping"))
                : Optional.empty();
    }

    /// The generation that another has taken over from.
    ///
    /// @param parent empty when it had ended or not booted yet
    record Before(Optional<RubyParent> parent, Home home, int generation) {}

    /// From now on the parent that was launched as the next one forks, and the children before are
    /// replaced.
    Before takeOver(RubyParent started) {
        Before before;
        synchronized (this) {
            if (next != started) {
                throw refusal().orElseThrow();
            }
            before = new Before(Optional.ofNullable(present()), home, generation);
            before.parent().ifPresentOrElse(older::add, this::endBoot);
            next = null;
            use(started);
            watch(started);
        }
        pools().forEach(ChildPool::renew);
        return before;
    }

    private void endBoot() {
        if (parent != null) {
            parent.endWhole();
        }
    }

    private void use(RubyParent forking) {
        parent = forking;
        isBooted = true;
        home = forking.home();
        generation = forking.generation();
    }

    /// The parent that has taken over cannot run jobs: the one before it forks again, or another of
    /// the same code that is booted when a pool needs it.
    synchronized void fallBack(RubyParent failed, Before before) {
        if (isClosed || generation != failed.generation()) {
            return;
        }
        RubyParent living = before.parent().filter(older::remove).orElse(null);
        if (living == null) {
            parent = null;
            isBooted = false;
            home = before.home();
            generation = before.generation();
        } else {
            use(living);
        }
        failed.endWhole();
    }

    /// The next parent will not take over.
    void abandon(RubyParent failed) {
        synchronized (this) {
            next = next == failed ? null : next;
        }
        failed.endWhole();
    }

    /// Raises `Sidekiq::Shutdown` in all jobs that this generation and older ones run.
    public void interruptUpTo(int old) {
        for (ChildPool pool : pools()) {
            pool.children().stream()
                    .filter(child -> child.generation() <= old)
                    .forEach(child -> interrupt(child, pool.lanes()));
        }
    }

    private static void interrupt(Child child, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            child.interrupt(lane);
        }
    }

    /// Ends this generation and older ones with all that they run.
    public synchronized void endUpTo(int old) {
        older.stream().filter(parent -> parent.generation() <= old).forEach(RubyParent::endWhole);
    }

    private synchronized List<ChildPool> pools() {
        return List.copyOf(pools);
    }

    /// No new generation takes over any more.
    public synchronized void quiet() {
        isQuiet = true;
        if (next != null) {
            next.endWhole();
            next = null;
        }
    }

    /// Has the app's blocks for the start called in a first child, and waits until they have run.
    ///
    /// @return its report of the app then, in the order of `report.rb`; null when the child has
    ///   ended before
    /// @throws ChildFailure when the app has set what cannot be meant, or cannot be loaded
    public @Nullable List<String> startUp() {
        return parent().startUp();
    }

    /// Makes a pool of children, none of which is forked yet.
    ///
    /// @param processes children, from 1
    /// @param threads jobs that each of them runs at once, from 1
    public ChildPool pool(int processes, int threads) {
        return pool(processes, threads, ChildLimits.NONE, Dialect.SIDEKIQ);
    }

    /// The same, with limits for each of them.
    ///
    /// @param dialect of the jobs
    public ChildPool pool(int processes, int threads, ChildLimits limits, Dialect dialect) {
        return pool(processes, threads, ChildPool.Kind.THREADS, limits, dialect);
    }

    /// The same, of children that run the jobs of several capsules, each in a lane that is added.
    public ChildPool pool(int processes, ChildLimits limits, Dialect dialect) {
        return empty(processes, ChildPool.Kind.THREADS, limits, dialect);
    }

    /// Makes a pool of children that fork for each job.
    ///
    /// @param forkers children, from 1
    /// @param places jobs that run at once in forks of each of them, from 1
    /// @param dialect of the jobs
    public ChildPool forks(int forkers, int places, Dialect dialect) {
        return pool(forkers, places, ChildPool.Kind.FORKS, ChildLimits.NONE, dialect);
    }

    private ChildPool pool(
            int processes, int threads, ChildPool.Kind kind, ChildLimits limits, Dialect dialect) {
        ChildPool pool = empty(processes, kind, limits, dialect);
        int _ = pool.addLane(processes * threads);
        return pool;
    }

    private synchronized ChildPool empty(
            int processes, ChildPool.Kind kind, ChildLimits limits, Dialect dialect) {
        ChildPool.Size size = new ChildPool.Size(places, processes, kind, dialect);
        places += processes;
        ChildPool pool = new ChildPool(this, size, limits, onTrouble);
        pools.add(pool);
        return pool;
    }

    /// Ends the parent and with it all children that are left.
    @Override
    public synchronized void close() {
        isClosed = true;
        quiet();
        older.forEach(RubyParent::close);
        if (parent != null) {
            parent.close();
            parent = null;
        }
    }
}
