package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.cron.ClassOptions;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.java.JavaRunner;
import dev.mawashi.java.JobClassPath;
import dev.mawashi.job.Dialect;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.ruby.RubySettings;
import dev.mawashi.wire.JsonFields;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Job classes in Java, in this process. It has no lifecycle blocks.
final class JavaApp implements App {
    private final RubySettings given;
    private final JobClassPath path;
    private final JavaRunner runner;
    private volatile @Nullable AppSettings settings;

    private JavaApp(RubySettings given, JobClassPath path) {
        this.given = given;
        this.path = path;
        runner = new JavaRunner(path);
    }

    /// @param classPath the value of `--java-classpath` or its key; null when it is not given
    /// @throws StartFailure when the class path is missing, or a part of it does not exist
    static JavaApp boot(RubySettings given, @Nullable String classPath) {
        if (classPath == null) {
            throw new StartFailure(
                    "the runner java needs --java-classpath: jars and folders with the job classes");
        }
        try {
            return new JavaApp(given, JobClassPath.of(classPath));
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure("--java-classpath: " + wrong.getMessage());
        }
    }

    @Override
    public void startUp(BooleanSupplier isStopping) {
        // Job classes in Java have no blocks.
    }

    /// Asked only when there is no app in Ruby: one in Ruby would give the settings.
    @Override
    public AppSettings settings() {
        AppSettings read =
                settings == null
                        ? JavaSettings.read(given.flags(), given.processEnvironment())
                        : settings;
        settings = read;
        return read;
    }

    @Override
    public AppSettings filesSettings(Duration limit) {
        return JavaSettings.read(given.flags(), given.processEnvironment());
    }

    @Override
    public void adopt(AppSettings present) {
        settings = present;
    }

    @Override
    public String sidekiqVersion() {
        return "";
    }

    @Override
    public boolean countsRuns() {
        return true;
    }

    @Override
    public String platform() {
        return "java " + Runtime.version().feature();
    }

    @Override
    public String api() {
        return "job classes from " + path.text();
    }

    @Override
    public Execution execution(CapsulePlan plan, Dialect dialect) {
        if (dialect == Dialect.RESQUE) {
            throw new StartFailure(
                    "Resque's job classes are Ruby: --resque goes with --runner jruby, mri or fork");
        }
        return new Execution.Threads(runner, plan.isVirtual());
    }

    @Override
    public void fire(LifecycleEvent event) {
        if (event == LifecycleEvent.QUIET) {
            runner.announceStop();
        }
    }

    @Override
    public void onBeat(boolean isNew) {
        // Job classes in Java have no blocks.
    }

    @Override
    public List<String> backtraces() {
        return runner.backtraces();
    }

    /// Classes in Java have no options.
    @Override
    public String classOptions(List<String> names) {
        return JsonFields.array(
                names.stream()
                        .map(runner::problem)
                        .map(problem ->
                                problem.isEmpty()
                                        ? ClassOptions.NONE
                                        : ClassOptions.unknown(problem))
                        .map(ClassOptions::json)
                        .toList());
    }

    @Override
    public void close() {
        runner.close();
    }
}
