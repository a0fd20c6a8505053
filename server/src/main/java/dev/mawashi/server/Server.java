package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.IterationTable;
import dev.mawashi.broker.MetricsTable;
import dev.mawashi.broker.ProcessTable;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.client.Iterations;
import dev.mawashi.dispatch.CancelWatch;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.Routes;
import dev.mawashi.dispatch.Suspects;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.PauseWatch;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.metrics.MetricsFlush;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.presence.Census;
import dev.mawashi.presence.Heartbeat;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.ProcessName;
import dev.mawashi.presence.Recovery;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.ruby.RubySettings;
import dev.mawashi.schedule.Promoter;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.RetryRules;
import dev.mawashi.settle.Settler;
import dev.mawashi.wire.MetricsShape;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The composition root: builds the server's parts from the bottom up, and ends them from the top
/// down. Nothing else makes a service.
public final class Server {
    private static final System.Logger LOG = System.getLogger(Server.class.getName());
    private static final Duration PART_PATIENCE = Duration.ofSeconds(5);

    private final ServerSettings settings;
    private final Map<String, String> environment;
    private final InstantSource clock = InstantSource.system();
    private final Listener log = new EventLog();
    private final Listener listener = this::onEvent;
    private final Outage outage = new Outage(listener, System::nanoTime);
    private final Pauses pauses = new Pauses();
    private final Cancelled cancelled = Cancelled.byJid();
    private final @Nullable Systemd systemd;
    private final Deque<Service> started = new ArrayDeque<>();
    private volatile @Nullable Apps apps;
    private @Nullable Client client;
    private @Nullable Iterations iterations;
    private volatile List<Capsule> capsules = List.of();
    private final SoloProcess solo = new SoloProcess();
    private final Recycling recycling = new Recycling(() -> capsules, this::quiet, this::recycle);
    private volatile @Nullable ResqueSide resque;
    private volatile @Nullable Census census;
    private Duration stopPatience = Duration.ZERO;
    private volatile boolean isStopping;
    private volatile boolean isQuietAsked;
    private volatile boolean isRecycling;
    private volatile Runnable onRecycle = () -> {};
    private volatile Runnable onDone = () -> {};

    public Server(ServerSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = environment;
        systemd = Systemd.of(environment).orElse(null);
    }

    /// Waits for Redis, boots Ruby, loads the app and begins to work.
    ///
    /// @param onSignal takes the signals that Sidekiq's page sends: `TSTP`, `TERM`, `TTIN`
    /// @return false when `stop` came first
    /// @throws StartFailure when Redis will not do
    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    public boolean start(Consumer<String> onSignal) {
        Instant startedAt = clock.instant();
        OwnName.showInProcessTable();
        RedisBroker broker = new RedisBroker(settings.redis(), DeadLimits.DEFAULT);
        RedisGate gate = new RedisGate(broker, outage, settings.isStrict());
        if (!gate.pass(() -> isStopping)) {
            return false;
        }
        Apps booted = boot(broker);
        apps = booted;
        if (isStopping) {
            return false;
        }
        stopPatience = Duration.ofMillis(Math.round(booted.settings().timeoutSeconds() * 1_000));
        start(new CarrierWatch());
        startServices(booted, startedAt, onSignal);
        LOG.log(Level.INFO, describe(booted));
        gate.tell();
        return true;
    }

    private void startServices(Apps booted, Instant startedAt, Consumer<String> onSignal) {
        AppSettings wanted = booted.settings();
        DeadLimits limits =
                new DeadLimits(wanted.deadMaxJobs(), Duration.ofSeconds(wanted.deadSeconds()));
        RedisBroker broker = new RedisBroker(settings.redis(), limits);
        ProcessName name = OwnName.of(environment, booted.sidekiqVersion(), tag(wanted));
        Epoch epoch = new Epoch(name.identity());
        Settler settler = new Settler(broker.settling(), listener, outage);
        Optional<MetricsShape> metrics = metrics(booted);
        RunTallies tallies = new RunTallies(metrics.isPresent());
        Capsule.Parts parts = parts(broker, booted, epoch, settler, tallies);
        List<Capsule> sidekiqs = Pools.of(booted, parts, settings);
        ResqueSide other = resqueSide(booted, name, startedAt);
        resque = other;
        capsules = other == null ? sidekiqs : plus(sidekiqs, other.capsule());
        booted.fire(LifecycleEvent.STARTUP);
        Census taken = new Census(name, wanted.labels(), sidekiqs, startedAt);
        census = new Census(name, wanted.labels(), capsules, startedAt);
        LeaseKeeper keeper =
                new LeaseKeeper(
                        broker.leasing(),
                        epoch,
                        Pools.parkedQueues(sidekiqs),
                        settings.lease(),
                        settler::settle,
                        listener,
                        outage);
        start(keeper);
        start(settler);
        start(heartbeat(broker, taken, booted, onSignal));
        metrics.ifPresent(shape -> start(flush(broker, shape, name, tallies)));
        start(new PauseWatch(broker.pausedQueues(), pauses, listener, outage));
        start(new CancelWatch(broker.cancelMarks(), cancelled, settler, listener, outage));
        if (other != null) {
            other.services().forEach(this::start);
        }
        if (settings.isAlone()) {
            runSuspects();
        } else {
            start(recovery(broker, epoch, sidekiqs));
            start(new Promoter(broker.scheduling(), clock, listener, outage));
            start(solo);
            start(recycling);
            work();
            tellOfStart(keeper);
        }
    }

    private void runSuspects() {
        capsules.forEach(Capsule::startAlone);
        start(new Suspects(capsules, outage, onDone));
        if (isQuietAsked) {
            quiet();
        }
    }

    private void tellOfStart(LeaseKeeper keeper) {
        ResqueSide other = resque;
        if (systemd != null) {
            systemd.ready();
            systemd.watchdog(() -> keeper.isGoingRound() && (other == null || other.isGoingRound()))
                    .ifPresent(this::start);
        }
    }

    private MetricsFlush flush(
            RedisBroker broker, MetricsShape shape, ProcessName name, RunTallies tallies) {
        MetricsTable table = new MetricsTable(broker.connect("metrics"), shape, name.identity());
        return new MetricsFlush(table, tallies, clock, outage);
    }

    private void work() {
        if (isQuietAsked) {
            quiet();
        } else {
            capsules.forEach(Capsule::start);
        }
    }

    private @Nullable ResqueSide resqueSide(Apps booted, ProcessName name, Instant startedAt) {
        ResqueSettings wanted = settings.resque();
        if (wanted == null) {
            return null;
        }
        return new ResqueSide(
                wanted,
                booted,
                new ResqueSide.Shared(
                        settings, name, startedAt, solo::want, clock, listener, outage));
    }

    private static List<Capsule> plus(List<Capsule> capsules, Capsule more) {
        return Stream.concat(capsules.stream(), Stream.of(more)).toList();
    }

    private Heartbeat heartbeat(
            RedisBroker broker, Census taken, Apps booted, Consumer<String> onSignal) {
        return new Heartbeat(
                new ProcessTable(broker.connect("beat")),
                taken,
                clock,
                listener,
                outage,
                onSignal,
                booted::onBeat);
    }

    private Recovery recovery(RedisBroker broker, Epoch epoch, List<Capsule> sidekiqs) {
        return new Recovery(
                broker.leasing(),
                epoch,
                settings.lease().sweep(),
                queue -> {
                    if (Suspects.areRunFor(sidekiqs, queue)) {
                        solo.want();
                    }
                },
                listener,
                outage);
    }

    private static Optional<MetricsShape> metrics(Apps apps) {
        return apps.countsRuns() ? MetricsShape.of(apps.sidekiqVersion()) : Optional.empty();
    }

    private Capsule.Parts parts(
            RedisBroker broker, Apps booted, Epoch epoch, Settler settler, RunTallies tallies) {
        RetryRules rules =
                new RetryRules(
                        booted.settings().maxRetries(),
                        RetryRules.Backtraces.of(booted.sidekiqVersion()));
        RetryPolicy policy =
                new RetryPolicy(
                        rules, clock, () -> ThreadLocalRandom.current().nextLong(), listener);
        return new Capsule.Parts(
                broker,
                policy,
                settler,
                epoch,
                listener,
                outage,
                new Routes(listener),
                tallies,
                pauses,
                cancelled);
    }

    private Apps boot(RedisBroker broker) {
        Client enqueuer = new Client(broker.enqueuing());
        client = enqueuer;
        Iterations kept = new Iterations(new IterationTable(broker.connect("iterate")));
        iterations = kept;
        RubySettings ruby =
                new RubySettings(
                        settings.app(), environment, settings.redis().url(), enqueuer, kept);
        ResqueSettings other = settings.resque();
        return Apps.boot(
                ruby, settings.runners(), other == null ? Set.of() : Set.of(other.plan().kind()));
    }

    private void start(Service service) {
        service.start();
        started.push(service);
    }

    private String tag(AppSettings app) {
        return Objects.requireNonNullElse(app.tag(), settings.tagDefault());
    }

    private String describe(Apps booted) {
        return "%s %s, %s, Redis %s"
                .formatted(
                        settings.isAlone() ? "running suspects of" : "working on",
                        queues(booted),
                        booted.describe(),
                        settings.redis());
    }

    private String queues(Apps booted) {
        ResqueSide other = resque;
        if (other == null) {
            return Pools.describe(booted.plans());
        }
        return capsules.size() == 1
                ? other.describe()
                : Pools.describe(booted.plans()) + "; " + other.describe();
    }

    /// Claims no more; running jobs go on.
    public void quiet() {
        isQuietAsked = true;
        Apps booted = apps;
        if (!capsules.isEmpty() && booted != null) {
            capsules.forEach(Capsule::quiet);
            solo.quiet();
            booted.fire(LifecycleEvent.QUIET);
        }
    }

    /// Logs what runs now, and the Ruby backtraces of all threads.
    void dump() {
        Census taken = census;
        Apps booted = apps;
        if (taken == null || booted == null) {
            LOG.log(Level.INFO, "TTIN: nothing runs yet");
            return;
        }
        List<String> work = taken.describeWork();
        LOG.log(Level.INFO, "TTIN: running now: " + work.size());
        work.forEach(line -> LOG.log(Level.INFO, line));
        booted.backtraces().forEach(trace -> LOG.log(Level.INFO, trace));
    }

    /// Runs ended and runs failed since the start.
    public long ended() {
        return capsules.stream().mapToLong(capsule -> capsule.counters().ended()).sum();
    }

    /// Lets a `start` that still waits for Redis return.
    void abortStart() {
        isStopping = true;
    }

    private void tellOfStop(Systemd told) {
        if (isRecycling) {
            told.reloading();
        } else {
            told.stopping();
        }
    }

    /// Takes what is called when one that runs suspects has no more.
    void onDone(Runnable action) {
        onDone = action;
    }

    /// Takes what is called when the process should be stopped and started anew.
    void onRecycle(Runnable action) {
        onRecycle = action;
    }

    private void onEvent(Event event) {
        log.on(event);
        if (event instanceof Event.SlotStuck) {
            recycling.wake();
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
        if (systemd != null) {
            tellOfStop(systemd);
        }
        quiet();
        Apps booted = apps;
        if (!capsules.isEmpty() && booted != null) {
            booted.fire(LifecycleEvent.SHUTDOWN);
        }
        solo.end();
        Pools.stop(capsules, stopPatience);
        while (!started.isEmpty()) {
            started.pop().stop(PART_PATIENCE);
        }
        if (booted != null) {
            booted.fire(LifecycleEvent.EXIT);
            booted.close();
        }
        Client enqueuer = client;
        if (enqueuer != null) {
            enqueuer.close();
        }
        Iterations kept = iterations;
        if (kept != null) {
            kept.close();
        }
    }
}
