package dev.mawashi.server;

import dev.mawashi.children.Child;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.ChildPool;
import dev.mawashi.children.Family;
import dev.mawashi.children.FilesReading;
import dev.mawashi.children.Home;
import dev.mawashi.children.ParentSettings;
import dev.mawashi.children.Renewal;
import dev.mawashi.children.Trace;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.dispatch.Crew;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.PrivateFolder;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.ruby.AppRedis;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.ruby.RubySettings;
import dev.mawashi.ruby.ShippedRuby;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The app in MRI processes: a parent that has loaded it and forks children, which several capsules
/// share where nothing is said of the processes of one.
///
/// Lifecycle blocks run in the children: `:startup` in each before its first job, and what it
/// leaves of the settings in the first of them counts for the server; `:exit` when it ends; the
/// others when the server reaches that moment. Where each job has a fork of its own, the children
/// that fork them run the blocks, and no job.
final class MriApp implements App {
    private static final System.Logger LOG = System.getLogger(MriApp.class.getName());
    private static final Duration TRACE_PATIENCE = Duration.ofSeconds(2);
    private static final Executor ASKERS =
            task -> Thread.ofVirtual().name("mawashi-trace-1").start(task);

    private final Family family;
    private final FilesReading files;
    private volatile AppReport report;
    private final Map<String, ChildPool> capsules = new ConcurrentHashMap<>();
    private final List<ChildPool> pools = new CopyOnWriteArrayList<>();
    private @Nullable ChildPool sharedPool;
    private @Nullable Crew sharedCrew;

    private MriApp(Family family, FilesReading files, AppReport report) {
        this.family = family;
        this.files = files;
        this.report = report;
    }

    /// Starts Ruby and has it load the app.
    ///
    /// @param ruby the program, by its path or name
    /// @param folder for its sockets, and the Ruby files that Mawashi ships
    /// @throws ChildFailure when there is no such Ruby or the app cannot be loaded
    static MriApp boot(RubySettings settings, String ruby, PrivateFolder folder) {
        ParentSettings parent =
                new ParentSettings(
                        List.of(ruby),
                        () -> ShippedRuby.parentProgram(folder),
                        release(settings)::home,
                        given(settings),
                        folder);
        OwnServices services = new OwnServices(settings.sink(), settings.iterations());
        Family family = new Family(parent, services, line -> LOG.log(Level.WARNING, line));
        FilesReading files = new FilesReading(parent, services);
        try {
            return new MriApp(family, files, new AppReport(family.boot()));
        } catch (RuntimeException failure) {
            family.close();
            throw failure;
        }
    }

    private static Release release(RubySettings settings) {
        return Release.of(settings.processEnvironment(), settings.flags().require(), Path.of(""));
    }

    /// What the boot is to know and was given, by the names that it has there.
    static List<Map.Entry<String, String>> given(RubySettings settings) {
        AppFlags given = settings.flags();
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("require", given.require());
        values.put("config_file", given.configFile());
        values.put("environment", given.environment());
        values.put("tag", given.tag());
        values.put("concurrency", given.concurrency());
        values.put("timeout", given.timeoutSeconds());
        values.put("redis", settings.redisUrl());
        values.put("identity", settings.identity());
        values.put("resque", settings.resque());
        values.put("follow", settings.followsApp() ? "1" : null);
        values.put("verbose", given.isVerbose() ? "1" : null);
        values.put("log_json", given.isLogJson() ? "1" : null);
        values.put("second", given.isSecond() ? "1" : null);
        values.put("redact", given.hidesArguments() ? "1" : null);
        List<Map.Entry<String, String>> flags = new ArrayList<>();
        values.forEach((name, value) -> {
            if (value != null) {
                flags.add(Map.entry(name, value.toString()));
            }
        });
        given.queues()
                .forEach((name, weight) -> flags.add(Map.entry("queue", name + "," + weight)));
        given.accepted().forEach(name -> flags.add(Map.entry("accept", name)));
        return flags;
    }

    /// Under Sidekiq the process would end, and be started again.
    @Override
    public void startUp(BooleanSupplier isStopping) {
        Backoff backoff = new Backoff();
        while (!isStopping.getAsBoolean()) {
            List<String> texts = family.startUp();
            if (texts != null) {
                report = new AppReport(texts);
                return;
            }
            LOG.log(
                    Level.WARNING,
                    "no child process: it ended while the app's blocks for :startup ran");
            backoff.pause();
        }
    }

    @Override
    public AppSettings settings() {
        return report.settings();
    }

    @Override
    public AppSettings filesSettings(Duration limit) {
        return new AppReport(files.read(files.home(), limit)).settings();
    }

    @Override
    public Path filesFolder() {
        return Objects.requireNonNullElse(files.home().folder(), Path.of(""));
    }

    @Override
    public void adopt(AppSettings present) {
        report = report.with(present);
    }

    @Override
    public void limit(CapsulePlan plan, Dialect dialect) {
        ChildPool pool = capsules.get(key(plan, dialect));
        if (pool != null) {
            pool.limit(Limits.ofChildren(plan));
        }
    }

    private static String key(CapsulePlan plan, Dialect dialect) {
        return dialect + " " + plan.name();
    }

    @Override
    public String sidekiqVersion() {
        return report.sidekiqVersion();
    }

    @Override
    public boolean countsRuns() {
        return report.countsRuns();
    }

    @Override
    public AppRedis redis() {
        return report.redis();
    }

    @Override
    public String platform() {
        return report.rubyDescription();
    }

    @Override
    public Execution execution(CapsulePlan plan, Dialect dialect) {
        if (plan.kind() != RunnerKind.FORK && !plan.isApart()) {
            return shared(plan, dialect);
        }
        ChildPool pool =
                plan.kind() == RunnerKind.FORK ? forks(plan.slots(), dialect) : pool(plan, dialect);
        if (plan.kind() != RunnerKind.FORK) {
            int _ = pool.addLane(plan.slots());
        }
        pools.add(pool);
        capsules.put(key(plan, dialect), pool);
        return new Execution.Children(pool);
    }

    private ChildPool pool(CapsulePlan plan, Dialect dialect) {
        return family.pool(plan.processes(), Limits.ofChildren(plan), dialect);
    }

    private Execution shared(CapsulePlan plan, Dialect dialect) {
        if (sharedPool == null) {
            sharedPool = pool(plan, dialect);
            sharedCrew = new Crew(sharedPool);
            pools.add(sharedPool);
        }
        capsules.put(key(plan, dialect), sharedPool);
        int lane = sharedPool.addLane(plan.slots());
        return new Execution.Children(Objects.requireNonNull(sharedCrew), lane);
    }

    private ChildPool forks(int atOnce, Dialect dialect) {
        int forkers = forkers(atOnce, Runtime.getRuntime().availableProcessors());
        return family.forks(forkers, atOnce / forkers, dialect);
    }

    /// The number of forkers: at most one per core, and a divisor of `atOnce`, so that all get as
    /// many jobs. One forker is not enough: it forks one process after the other, and a fork costs
    /// it about as much time as running the job costs the fork.
    static int forkers(int atOnce, int cores) {
        return IntStream.rangeClosed(1, Math.min(atOnce, cores))
                .filter(number -> atOnce % number == 0)
                .max()
                .orElse(1);
    }

    /// Starts the app's code as it is now beside the present one; see `Renewal.run`.
    CompletableFuture<Void> renew(Duration limit, Consumer<AppSettings> check) {
        return new Renewal(family, limit, told -> check.accept(settings(new AppReport(told))))
                .run();
    }

    /// Has the runs of a generation and older ones end, as at a stop.
    void interruptUpTo(int generation) {
        family.interruptUpTo(generation);
    }

    /// Ends a generation and older ones with all that they run.
    void endUpTo(int generation) {
        family.endUpTo(generation);
    }

    /// Which start of its code is the present one, from 1.
    int generation() {
        return family.generation();
    }

    Home home() {
        return family.home();
    }

    /// Those of new code, which must not want what only a start can change.
    private AppSettings settings(AppReport told) {
        String remedy = ", which only a start changes: stop the process and start it again";
        if (!told.settings().hasCapsulesOf(report.settings())) {
            throw new ChildFailure("the new code wants other queues or concurrency" + remedy);
        }
        if (!told.sidekiqVersion().equals(report.sidekiqVersion())) {
            throw new ChildFailure(
                    "the new code has sidekiq %s, before it was %s%s"
                            .formatted(told.sidekiqVersion(), report.sidekiqVersion(), remedy));
        }
        if (!told.redis().isLike(report.redis())) {
            throw new ChildFailure("the new code has another Redis in config.redis" + remedy);
        }
        return told.settings();
    }

    @Override
    public void fire(LifecycleEvent event) {
        if (event == LifecycleEvent.QUIET || event == LifecycleEvent.SHUTDOWN) {
            family.quiet();
            callBlocks(event);
        }
    }

    @Override
    public void onBeat(boolean isNew) {
        if (isNew) {
            callBlocks(LifecycleEvent.HEARTBEAT);
        }
        callBlocks(LifecycleEvent.BEAT);
    }

    private void callBlocks(LifecycleEvent event) {
        pools.forEach(pool -> pool.children().forEach(child -> child.fire(event.symbol())));
    }

    @Override
    public String trouble() {
        return pools.stream()
                .map(ChildPool::trouble)
                .filter(trouble -> !trouble.isEmpty())
                .findFirst()
                .orElse("");
    }

    /// Returns none: the children print theirs, and their output goes to the log.
    @Override
    public List<String> backtraces() {
        pools.forEach(pool -> pool.children().forEach(Child::dump));
        return List.of();
    }

    /// All children are asked at once: one that says nothing holds up none.
    @Override
    public List<String> stacks() {
        List<CompletableFuture<List<Trace>>> asked =
                children().stream()
                        .map(child ->
                                CompletableFuture.supplyAsync(
                                        () -> child.backtraces(TRACE_PATIENCE), ASKERS))
                        .toList();
        return asked.stream()
                .flatMap(traces -> traces.join().stream())
                .map(trace -> "process " + trace.pid() + ":\n" + trace.text())
                .toList();
    }

    @Override
    public List<Child> children() {
        return pools.stream().flatMap(pool -> pool.children().stream()).toList();
    }

    @Override
    public String classOptions(List<String> names) {
        return family.classOptions(names);
    }

    @Override
    public void close() {
        pools.forEach(ChildPool::close);
        family.close();
    }
}
