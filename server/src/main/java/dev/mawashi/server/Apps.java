package dev.mawashi.server;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.Home;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.CapsulePlans;
import dev.mawashi.config.Origins;
import dev.mawashi.config.PoolSettings;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.PrivateFolder;
import dev.mawashi.ruby.AppRedis;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.ruby.RubySettings;
import dev.mawashi.tracing.Traces;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The app, loaded once for each Ruby that its queues need. The first one gives the server its
/// settings; others in Ruby load the same files. Job classes in Java count as one more app.
final class Apps implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Apps.class.getName());

    /// Each app by the kind of runner that loads it.
    private final Map<RunnerKind, App> apps = new EnumMap<>(RunnerKind.class);

    private final OwnJobs jobs;
    private final PrivateFolder folder;
    private final App first;
    private final RubySettings second;
    private final @Nullable ResqueSettings resque;
    private final RunnerChoice choice;
    private final Release release;
    private volatile List<CapsulePlan> plans;

    private Apps(
            ServerSettings settings,
            Map<String, String> environment,
            Supplier<RedisBroker> broker,
            String identity) {
        choice = settings.runners();
        jobs = new OwnJobs(broker);
        RubySettings ruby = ruby(settings, environment, identity);
        second = ruby.second();
        release = Release.of(ruby.processEnvironment(), settings.app().require(), Path.of(""));
        resque = settings.resque();
        folder = PrivateFolder.open(ruby.processEnvironment());
        try {
            RunnerKind kind = choice.first().loadedBy();
            first = boot(kind, ruby);
            apps.put(kind, first);
            plans = plan();
            List<App> _ = bootOthers();
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /// @param broker in the server's Redis, once the app is loaded
    /// @param identity of this process in Redis, which the app may ask for
    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    /// @throws dev.mawashi.children.ChildFailure when there is no such Ruby or the app cannot be
    ///   loaded there
    /// @throws dev.mawashi.config.ConfigFailure when the choice does not fit the app
    static Apps load(
            ServerSettings settings,
            Map<String, String> environment,
            Supplier<RedisBroker> broker,
            String identity) {
        return new Apps(settings, environment, broker, identity);
    }

    private RubySettings ruby(
            ServerSettings settings, Map<String, String> environment, String identity) {
        return new RubySettings(
                settings.app(),
                environment,
                settings.redis().url(),
                identity,
                settings.resque() == null ? null : settings.resque().keys().namespace(),
                Traces.of(jobs),
                jobs,
                settings.followsApp());
    }

    /// Has the app's blocks for the start called, which may change what it wants of the server.
    ///
    /// @throws dev.mawashi.ruby.RubyBootFailure when one raises
    void startUp(BooleanSupplier isStopping) {
        apps.values().forEach(app -> app.startUp(isStopping));
        plans = plan();
        bootOthers().forEach(app -> app.startUp(isStopping));
        CapsulePlans.strangers(plans, choice)
                .forEach(queue ->
                        LOG.log(
                                Level.WARNING,
                                "config/mawashi.yml names queue \""
                                        + queue
                                        + "\", on which this server does not work"));
    }

    private List<CapsulePlan> plan() {
        return plan(first.settings(), choice);
    }

    /// The capsules of an app with these settings.
    ///
    /// @throws dev.mawashi.config.ConfigFailure when the choice does not fit them
    static List<CapsulePlan> plan(AppSettings settings, RunnerChoice choice) {
        return CapsulePlans.of(wanted(settings), choice);
    }

    /// Loads the app for the runners that still lack it.
    private List<App> bootOthers() {
        Set<RunnerKind> kinds = new TreeSet<>(CapsulePlans.kinds(plans));
        if (resque != null) {
            kinds.add(resque.plan().kind());
        }
        List<App> booted = new ArrayList<>();
        for (RunnerKind kind : kinds) {
            if (!apps.containsKey(kind.loadedBy())) {
                App other = boot(kind.loadedBy(), second);
                apps.put(kind.loadedBy(), other);
                booted.add(other);
            }
        }
        return booted;
    }

    private App boot(RunnerKind kind, RubySettings ruby) {
        return switch (kind) {
            case JRUBY -> JrubyApp.boot(ruby, folder);
            case MRI, FORK ->
                    MriApp.boot(ruby, Objects.requireNonNullElse(choice.ruby(), "ruby"), folder);
            case JAVA -> JavaApp.boot(ruby, choice.javaClassPath());
        };
    }

    private static List<CapsulePlans.Wanted> wanted(AppSettings settings) {
        return settings.capsules().stream()
                .map(pool ->
                        new CapsulePlans.Wanted(
                                pool.name(),
                                pool.concurrency(),
                                pool.queues(),
                                origins(settings, pool.name())))
                .toList();
    }

    private static Origins origins(AppSettings settings, String capsule) {
        Map<String, String> places = new HashMap<>();
        for (String key : List.of("concurrency", "queues")) {
            String place = settings.place("capsules." + capsule + "." + key);
            if (!place.equals(AppSettings.DEFAULT)) {
                places.put(key, place);
            }
        }
        return Origins.of(places);
    }

    /// The first app's own connection to Redis, as it was once it was loaded.
    AppRedis redis() {
        return first.redis();
    }

    /// The first app's settings for the server.
    AppSettings settings() {
        return first.settings();
    }

    /// See `App.filesSettings`, of the first app.
    AppSettings filesSettings(Duration limit) {
        return first.filesSettings(limit);
    }

    /// See `App.filesFolder`, of the first app.
    Path filesFolder() {
        return first.filesFolder();
    }

    /// Takes note of what has changed since the start.
    void adopt(AppSettings present, List<CapsulePlan> capsules) {
        first.adopt(present);
        plans = List.copyOf(capsules);
    }

    /// See `App.limit`.
    void limit(CapsulePlan plan, Dialect dialect) {
        Objects.requireNonNull(apps.get(plan.kind().loadedBy())).limit(plan, dialect);
    }

    /// The capsules, in the app's order.
    List<CapsulePlan> plans() {
        return plans;
    }

    /// Settings of single queues, by their names.
    Map<String, PoolSettings> queueSettings() {
        return choice.queues();
    }

    /// Version of the app's own sidekiq gem; "" when it uses the API that Mawashi ships.
    String sidekiqVersion() {
        return first.sidekiqVersion();
    }

    /// Whether runs are to be counted by class for Sidekiq's Metrics page.
    boolean countsRuns() {
        return first.countsRuns();
    }

    /// Makes what runs a capsule's jobs. Called once for each capsule.
    Execution execution(CapsulePlan plan, Dialect dialect) {
        return Objects.requireNonNull(apps.get(plan.kind().loadedBy())).execution(plan, dialect);
    }

    /// Whether this process has code of the app's, so that new code needs a process beside it.
    boolean areHere() {
        return apps.keySet().stream().anyMatch(kind -> kind != RunnerKind.MRI);
    }

    /// Folder and environment of the app's newest code, for another process.
    ///
    /// @throws ChildFailure when there is none
    Home newHome() {
        return release.home();
    }

    /// Starts new code beside the present one, in processes of Ruby; see `Renewal.run`.
    CompletableFuture<Void> renew(Duration limit, Consumer<AppSettings> check) {
        if (first instanceof MriApp app) {
            return app.renew(limit, check);
        }
        throw new ChildFailure("the code is in the process itself");
    }

    /// See `MriApp.interruptUpTo`.
    void interruptUpTo(int generation) {
        if (first instanceof MriApp app) {
            app.interruptUpTo(generation);
        }
    }

    /// See `MriApp.endUpTo`.
    void endUpTo(int generation) {
        if (first instanceof MriApp app) {
            app.endUpTo(generation);
        }
    }

    /// Which start of the app's code is the present one, from 1.
    int generation() {
        return first instanceof MriApp app ? app.generation() : 1;
    }

    /// Folder and environment of the app's present code.
    Home home() {
        return first instanceof MriApp app
                ? app.home()
                : new Home(null, second.processEnvironment());
    }

    /// The platforms that run the jobs, and the API that they are written against, for the log.
    String describe() {
        String platforms =
                apps.values().stream()
                        .map(App::platform)
                        .distinct()
                        .collect(Collectors.joining(", "));
        return platforms + ", " + first.api();
    }

    /// Why jobs of some queues cannot run now; "" when all can.
    String trouble() {
        return apps.values().stream()
                .map(App::trouble)
                .filter(trouble -> !trouble.isEmpty())
                .findFirst()
                .orElse("");
    }

    /// For what the server writes while it lives.
    PrivateFolder folder() {
        return folder;
    }

    void fire(LifecycleEvent event) {
        apps.values().forEach(app -> app.fire(event));
    }

    void onBeat(boolean isNew) {
        apps.values().forEach(app -> app.onBeat(isNew));
    }

    List<String> backtraces() {
        return apps.values().stream().flatMap(app -> app.backtraces().stream()).toList();
    }

    /// See `App.stacks`.
    List<String> stacks() {
        return apps.values().stream().flatMap(app -> app.stacks().stream()).toList();
    }

    /// What each app says of these job classes; see `App.classOptions`.
    List<String> classOptions(List<String> names) {
        return apps.values().stream().map(app -> app.classOptions(names)).toList();
    }

    /// The child of this id, of those that run jobs on threads.
    Optional<Child> child(long pid) {
        return apps.values().stream()
                .flatMap(app -> app.children().stream())
                .filter(child -> child.pid() == pid)
                .findFirst();
    }

    @Override
    public void close() {
        apps.values().forEach(App::close);
        folder.close();
        jobs.close();
    }
}
