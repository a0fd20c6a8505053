package dev.mawashi.server;

import dev.mawashi.beans.Beans;
import dev.mawashi.dispatch.PayloadBudget;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.presence.ProcessName;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.scrape.ProcessFigures;
import dev.mawashi.web.Vitals;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The composition root: waits for Redis, loads the app, makes the `RunningServer`, and ends them
/// from the top down. The services in between are made by `RunningServer`, its sides and `Ports`.
public final class Server {
    private static final System.Logger LOG = System.getLogger(Server.class.getName());

    private static final Duration BEANS_STOP = Duration.ofSeconds(1);

    /// The server of older code began to stop when this one did, with the same time for jobs.
    private static final Duration BEFORE_STOP = Duration.ofSeconds(20);

    private final Map<String, String> environment;
    private final Function<Path, ServerSettings> reader;
    private final InstantSource clock = InstantSource.system();
    private final Listener log = new EventLog();
    private final Listener listener = this::onEvent;
    private final Outage outage = new Outage(listener, System::nanoTime);
    private final EventTally events = new EventTally();
    private final Vitals vitals = new OwnVitals(this::stage, this::running, outage, events);
    private final Beans beans = new Beans(() -> vitals.unready().isEmpty(), this::pools, events);
    private final @Nullable Systemd systemd;
    private final Standing standing;
    private final ServerRedis redis;
    private final CountDownLatch isLoaded = new CountDownLatch(1);
    private volatile @Nullable Apps apps;
    private volatile @Nullable RunningServer running;
    private volatile @Nullable Watchdog meanwhile;
    private volatile boolean isStopping;
    private volatile boolean isQuietAsked;
    private volatile boolean isStarted;
    private volatile boolean isRecycling;
    private volatile Runnable onRecycle = () -> {};
    private volatile Runnable onDone = () -> {};

    public Server(ServerSettings settings, Map<String, String> environment) {
        this(settings, environment, _ -> settings, null);
    }

    /// @param reader reads the settings anew, with `config/mawashi.yml` as it is by then; it is
    ///   given the app's folder, "" for this process's own, and throws `ConfigFailure`
    /// @param predecessor whose place it takes; null for none
    public Server(
            ServerSettings settings,
            Map<String, String> environment,
            Function<Path, ServerSettings> reader,
            @Nullable Predecessor predecessor) {
        this.reader = reader;
        this.environment = environment;
        systemd = Systemd.of(environment).orElse(null);
        standing = new Standing(systemd, predecessor, environment);
        redis = new ServerRedis(settings, clock, vitals, outage);
    }

    /// Waits for Redis, boots Ruby, loads the app and begins to work.
    ///
    /// @param onSignal takes the signals that Sidekiq's page sends: `TSTP`, `TERM`, `TTIN`
    /// @return false when `stop` came first
    /// @throws StartFailure when Redis refuses us, is too old, or not durable enough, or when a
    ///   port is taken
    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    public boolean start(Consumer<String> onSignal) {
        Instant startedAt = clock.instant();
        OwnName.showInProcessTable();
        // First of all: where memory is too little, the rest may end at any moment.
        JvmSettings.warnIfTight(redis.settings().runners().kinds());
        Predecessor before = standing.predecessor();
        if (before == null || before.isGone()) {
            open();
        }
        if (!redis.awaitLoad(() -> isStopping)) {
            return false;
        }
        ProcessName name = OwnName.of(environment);
        Apps loaded = redis.load(environment, name.identity(), () -> isStopping);
        apps = loaded;
        if (loaded == null) {
            return false;
        }
        if (before == null) {
            redis.rules().write();
        }
        loaded.startUp(() -> isStopping);
        isLoaded.countDown();
        if (isStopping) {
            return false;
        }
        RunningServer server = make(loaded, name, startedAt, onSignal);
        if (before != null && !isNext(before, name.identity())) {
            return false;
        }
        begin(server);
        redis.report();
        return true;
    }

    private void begin(RunningServer server) {
        running = server;
        server.start(() -> isQuietAsked);
        Predecessor before = standing.predecessor();
        if (before != null) {
            before.works();
        }
        endPingMeanwhile();
        isStarted = true;
        beans.start();
        LOG.log(Level.INFO, new JvmSettings(environment, "").line());
    }

    /// Waits until this server is to take the other one's place.
    ///
    /// @return false when it is to stop
    private boolean isNext(Predecessor before, String identity) {
        if (!before.isGone()) {
            before.ready(identity);
            if (!before.awaitGo(() -> isStopping)) {
                return false;
            }
            open();
        }
        redis.rules().write();
        return true;
    }

    private void open() {
        pingMeanwhile();
        redis.open();
    }

    private void pingMeanwhile() {
        Optional.ofNullable(systemd)
                .flatMap(Systemd::watchdogMeanwhile)
                .ifPresent(pings -> {
                    meanwhile = pings;
                    pings.start();
                });
    }

    private void endPingMeanwhile() {
        Watchdog pings = meanwhile;
        if (pings != null) {
            pings.stop(Duration.ZERO);
        }
    }

    private RunningServer make(
            Apps loaded, ProcessName process, Instant startedAt, Consumer<String> onSignal) {
        ServerSettings settings = redis.settings();
        String tag = Objects.requireNonNullElse(loaded.settings().tag(), settings.tagDefault());
        ProcessName name = OwnName.of(process, tag, loaded.sidekiqVersion());
        SoloProcess solo = new SoloProcess(loaded::home);
        Shared shared =
                new Shared(
                        settings,
                        redis.broker(),
                        name,
                        startedAt,
                        solo::want,
                        clock,
                        listener,
                        outage,
                        events,
                        PayloadBudget.ofHeap(),
                        ParkingShare.of(settings, loaded.settings(), loaded.plans()),
                        redis.rules());
        SidekiqSide sidekiq = new SidekiqSide(loaded, shared, onSignal);
        List<Side> sides = new ArrayList<>(List.of(sidekiq));
        if (settings.resque() instanceof ResqueSettings wanted) {
            sides.add(new ResqueSide(wanted, loaded, shared, sidekiq.tallies()));
        }
        return new RunningServer(
                loaded,
                shared,
                sidekiq,
                sides,
                solo,
                standing,
                reader,
                new RunningServer.Ends(this::recycle, () -> onDone.run(), redis::close));
    }

    /// The restart whose new code takes this process's place, once there can be one.
    Optional<Handover> handover() {
        return running().map(RunningServer::handover);
    }

    /// Whether another server is to take this one's place.
    public boolean hasGivenWay() {
        return handover().filter(Handover::hasGivenWay).isPresent();
    }

    /// Ends the process's part once it has stopped: it becomes the waiter for the server in its
    /// place, if a supervisor knows its id. Returns the exit code.
    public int leave() {
        return handover().filter(Handover::hasGivenWay).map(Handover::leave).orElse(0);
    }

    /// The last word of the command line with which it starts anew in its own place; "" for none.
    public String role() {
        return standing.guardian().map(Predecessor.Guardian::role).orElse("");
    }

    /// Where its page is, once started; "" where it has none.
    public String page() {
        return redis.page();
    }

    /// Claims no more; running jobs go on.
    public void quiet() {
        isQuietAsked = true;
        running().ifPresent(RunningServer::quiet);
    }

    /// Logs what runs now, and the Ruby backtraces of all threads.
    void dump() {
        running()
                .ifPresentOrElse(
                        RunningServer::dump, () -> LOG.log(Level.INFO, "TTIN: nothing runs yet"));
    }

    /// Runs ended and runs failed since the start.
    public long ended() {
        return running().map(RunningServer::ended).orElse(0L);
    }

    private Optional<RunningServer> running() {
        return Optional.ofNullable(running);
    }

    private String stage() {
        return isStopping ? OwnVitals.STOPPING : isStarted ? "" : OwnVitals.STARTING;
    }

    private List<ProcessFigures.Pool> pools() {
        return running().map(RunningServer::pools).orElse(List.of());
    }

    /// Lets a `start` that still waits for Redis or loads the app return before it claims anything.
    void abortStart() {
        isStopping = true;
    }

    /// Returns once the app is loaded.
    ///
    /// @return false when it still is not after `patience`
    boolean awaitLoaded(Duration patience) {
        try {
            return isLoaded.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// Sets the action for when a server that runs suspects has none left.
    void onDone(Runnable action) {
        onDone = action;
    }

    /// Sets the action for when the process should be stopped and started anew.
    void onRecycle(Runnable action) {
        onRecycle = action;
    }

    private void onEvent(Event event) {
        // Whoever has read its line finds it counted.
        events.on(event);
        log.on(event);
        if (event instanceof Event.SlotStuck) {
            running().ifPresent(RunningServer::lostThread);
        }
    }

    private void recycle() {
        isRecycling = true;
        onRecycle.run();
    }

    /// Ends everything: running jobs get the app's `timeout`, the rest goes back to the head of its
    /// queue. May be called while `start` waits.
    public void stop() {
        isStopping = true;
        if (systemd != null && !hasGivenWay()) {
            announceStop(systemd);
        }
        Predecessor before = standing.predecessor();
        if (before != null && !isRecycling) {
            before.stop();
        }
        quiet();
        running().ifPresent(RunningServer::stop);
        Apps loaded = apps;
        if (loaded != null) {
            loaded.fire(LifecycleEvent.EXIT);
            loaded.close();
        }
        beans.stop(BEANS_STOP);
        redis.close();
        if (before != null && !isRecycling) {
            before.awaitEnd(BEFORE_STOP);
        }
    }

    private void announceStop(Systemd systemd) {
        if (!isRecycling) {
            systemd.stopping();
            return;
        }
        systemd.reloading();
        pingMeanwhile();
    }
}
