package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.PrivateFolder;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.ruby.AppRedis;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.BeatBlocks;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.ruby.RubyRunner;
import dev.mawashi.ruby.RubyRuntime;
import dev.mawashi.ruby.RubySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The app in this process, in one embedded JRuby.
final class JrubyApp implements App {
    private static final Duration BLOCKS_PATIENCE = Duration.ofSeconds(5);

    private final AppFlags flags;
    private final RubyRuntime runtime;
    private final BeatBlocks blocks;
    private RubyRunner runner;
    private volatile @Nullable AppSettings settings;

    private JrubyApp(AppFlags flags, RubyRuntime runtime, BeatBlocks blocks) {
        this.flags = flags;
        this.runtime = runtime;
        this.blocks = blocks;
        this.runner = runtime.runner();
    }

    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    ///
    /// @param folder for the jars that Ruby loads out of other jars
    static JrubyApp boot(RubySettings settings, PrivateFolder folder) {
        RubyRuntime.unpackJarsInto(folder.path());
        RubyRuntime runtime = RubyRuntime.boot(settings);
        BeatBlocks blocks = new BeatBlocks(runtime);
        blocks.start();
        return new JrubyApp(settings.flags().at(Path.of("").toAbsolutePath()), runtime, blocks);
    }

    @Override
    public void startUp(BooleanSupplier isStopping) {
        runtime.fire(LifecycleEvent.STARTUP);
        settings = runtime.settings();
        runner = runtime.runner();
    }

    @Override
    public AppSettings settings() {
        AppSettings read = settings == null ? runtime.settings() : settings;
        settings = read;
        return read;
    }

    @Override
    public AppSettings filesSettings(Duration limit) {
        return runtime.filesSettings(flags);
    }

    @Override
    public void adopt(AppSettings present) {
        settings = present;
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
    public AppRedis redis() {
        return runtime.appRedis();
    }

    @Override
    public String platform() {
        return runtime.description();
    }

    @Override
    public Execution execution(CapsulePlan plan, Dialect dialect) {
        return switch (dialect) {
            case SIDEKIQ -> new Execution.Threads(runner, plan.isVirtual());
            case RESQUE -> new Execution.Threads(runtime.resqueRunner(), plan.isVirtual());
        };
    }

    @Override
    public void fire(LifecycleEvent event) {
        if (event == LifecycleEvent.QUIET) {
            runner.announceStop();
        }
        runtime.fire(event);
    }

    @Override
    public void onBeat(boolean isNew) {
        blocks.onBeat(isNew);
    }

    @Override
    public List<String> backtraces() {
        return runtime.backtraces();
    }

    @Override
    public String classOptions(List<String> names) {
        return runtime.classOptions(names);
    }

    @Override
    public void close() {
        blocks.stop(BLOCKS_PATIENCE);
        runtime.close();
    }
}
