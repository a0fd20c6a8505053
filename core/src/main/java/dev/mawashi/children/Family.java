package dev.mawashi.children;

import dev.mawashi.job.Dialect;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An app in Ruby processes: the parent that has loaded it, and the pools of children that it
/// forks. A parent that ends is booted anew by whichever pool first needs it.
public final class Family implements AutoCloseable {
    private final ParentSettings settings;
    private final ChildServices services;
    private final Consumer<String> onTrouble;
    private final ReentrantLock booting = new ReentrantLock();

    /// The one that has loaded the app, or is about to; whoever boots it holds `booting`, and only
    /// that, so that `close` ends a boot that hangs.
    private @Nullable RubyParent parent;

    private boolean isBooted;
    private int places;
    private boolean isClosed;

    /// @param onTrouble takes a line for the operator when a process ended that should not
    public Family(ParentSettings settings, ChildServices services, Consumer<String> onTrouble) {
        this.settings = settings;
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
            CompletableFuture<Void> _ = started.end().thenRun(() -> lost(started));
            return started.report();
        } finally {
            booting.unlock();
        }
    }

    private synchronized RubyParent launch() {
        if (isClosed) {
            throw new ChildFailure("the server ends");
        }
        isBooted = false;
        parent = RubyParent.launch(settings, services);
        return parent;
    }

    private synchronized void adopt(RubyParent booted) {
        isBooted = parent == booted;
    }

    /// The parent, if it has booted and not ended.
    synchronized @Nullable RubyParent present() {
        return isBooted && !isClosed ? parent : null;
    }

    private synchronized void lost(RubyParent ended) {
        if (parent == ended && !isClosed) {
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
        return new ChildPool(this, size, limits, onTrouble);
    }

    /// Ends the parent and with it all children that are left.
    @Override
    public synchronized void close() {
        isClosed = true;
        if (parent != null) {
            parent.close();
            parent = null;
        }
    }
}
