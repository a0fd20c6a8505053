package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.job.Dialect;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.LifecycleEvent;
import java.util.List;

/// The loaded app as the server sees it, whatever it runs in.
interface App extends AutoCloseable {

    /// What the server is to do, now that the app is loaded.
    AppSettings settings();

    /// Version of the app's own sidekiq gem; "" when it uses the API that Mawashi ships.
    String sidekiqVersion();

    /// Whether runs are to be counted by class for Sidekiq's Metrics page.
    boolean countsRuns();

    /// What it is loaded in, for the log.
    String platform();

    /// Against what its job classes are written, for the log.
    default String api() {
        return sidekiqVersion().isEmpty()
                ? "the API that Mawashi ships (no sidekiq gem found)"
                : "the app's sidekiq gem " + sidekiqVersion();
    }

    /// By what a capsule's jobs are run. Called once for each.
    Execution execution(CapsulePlan plan, Dialect dialect);

    /// Calls the blocks that the app has given to `config.on` for this moment. At `QUIET` jobs
    /// learn that the server is stopping.
    void fire(LifecycleEvent event);

    /// Has the blocks for `:heartbeat` and `:beat` called soon. Never waits.
    ///
    /// @param isNew whether Redis had no record of this process before the beat
    void onBeat(boolean isNew);

    /// Logs, or has logged, the backtraces of what runs.
    List<String> backtraces();

    /// Ends the app.
    @Override
    void close();
}
