package dev.mawashi.server;

import dev.mawashi.dispatch.Execution;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.ruby.RubyRunner;
import dev.mawashi.ruby.RubyRuntime;
import dev.mawashi.ruby.RubySettings;
import java.util.List;

/// The app in this process, in one embedded JRuby.
final class JrubyApp implements App {
    private final RubyRuntime runtime;
    private final RubyRunner runner;

    private JrubyApp(RubyRuntime runtime) {
        this.runtime = runtime;
        this.runner = runtime.runner();
    }

    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    static JrubyApp boot(RubySettings settings) {
        return new JrubyApp(RubyRuntime.boot(settings));
    }

    @Override
    public AppSettings settings() {
        return runtime.settings();
    }

    @Override
    public String sidekiqVersion() {
        return runtime.sidekiqVersion();
    }

    @Override
    public boolean countsRuns() {
        return runtime.countsRuns();
    }

    @Override
    public String runner() {
        return "runner jruby";
    }

    @Override
    public Execution execution(AppSettings.Pool capsule) {
        return new Execution.Threads(runner);
    }

    @Override
    public int slots(AppSettings.Pool capsule) {
        return capsule.concurrency();
    }

    @Override
    public void fire(LifecycleEvent event) {
        if (event == LifecycleEvent.QUIET) {
            runner.announceStop();
        }
        runtime.fire(event);
    }

    @Override
    public List<String> backtraces() {
        return runtime.backtraces();
    }

    @Override
    public void close() {
        runtime.close();
    }
}
