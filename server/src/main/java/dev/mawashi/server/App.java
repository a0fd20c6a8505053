package dev.mawashi.server;

import dev.mawashi.children.Child;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.job.Dialect;
import dev.mawashi.ruby.AppRedis;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.LifecycleEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The loaded app as the server sees it, whatever it runs in.
interface App extends AutoCloseable {

    /// Calls the blocks that the app has given to `config.on(:startup)`, which may change its
    /// settings. Where they raise in a process of the app's own they are tried again until the
    /// server stops.
    ///
    /// @throws dev.mawashi.ruby.RubyBootFailure when one raises
    void startUp(BooleanSupplier isStopping);

    /// The app's settings for the server, known once the app is loaded, and for good once it has
    /// started up.
    AppSettings settings();

    /// The settings as flags and files give them by now, without what the app's code makes of them.
    ///
    /// @param limit longest time, where another process reads them
    /// @throws dev.mawashi.ruby.RubyBootFailure when they cannot be followed
    /// @throws dev.mawashi.children.ChildFailure when they cannot, or are not read in time
    /// @throws StartFailure when they cannot
    AppSettings filesSettings(Duration limit);

    /// The folder in which these files are, as a start would find it; "" for that of this process.
    ///
    /// @throws dev.mawashi.children.ChildFailure when there is none
    default Path filesFolder() {
        return Path.of("");
    }

    /// Has `settings` return these from now on.
    void adopt(AppSettings present);

    /// Replaces the processes of a capsule within other limits from now on.
    ///
    /// @param plan has the limits
    default void limit(CapsulePlan plan, Dialect dialect) {
        // Only those in processes of their own have limits.
    }

    /// Version of the app's own sidekiq gem; "" when it uses the API that Mawashi ships.
    String sidekiqVersion();

    /// Whether runs are to be counted by class for Sidekiq's Metrics page.
    boolean countsRuns();

    /// Its own connection to Redis, as it was once it was loaded.
    default AppRedis redis() {
        return AppRedis.NONE;
    }

    /// The Ruby or Java that runs the app, for the log.
    String platform();

    /// The API that its job classes are written against, for the log.
    default String api() {
        return sidekiqVersion().isEmpty()
                ? "the API that Mawashi ships (no sidekiq gem found)"
                : "the app's sidekiq gem " + sidekiqVersion();
    }

    /// Makes what runs a capsule's jobs. Called once for each capsule.
    Execution execution(CapsulePlan plan, Dialect dialect);

    /// Calls the blocks that the app has given to `config.on` for this moment. At `QUIET` jobs
    /// learn that the server is stopping.
    void fire(LifecycleEvent event);

    /// Has the blocks for `:heartbeat` and `:beat` called soon. Never waits.
    ///
    /// @param isNew whether Redis had no record of this process before the beat
    void onBeat(boolean isNew);

    /// Why jobs cannot run now; "" when they can.
    default String trouble() {
        return "";
    }

    /// The backtraces of running jobs, for the log; empty where the app's own processes print
    /// theirs.
    List<String> backtraces();

    /// The backtraces of running jobs, for whoever asks: those of the app's own processes too, each
    /// that shows within a few seconds.
    default List<String> stacks() {
        return backtraces();
    }

    /// The processes that run its jobs; none where this one does.
    default List<Child> children() {
        return List.of();
    }

    /// What it says of these job classes, as `ClassOptions.read` reads it; "" when it does not
    /// answer in time.
    String classOptions(List<String> names);

    /// Ends the app.
    @Override
    void close();
}
