package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.MetricsTable;
import dev.mawashi.broker.ProcessTable;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.dispatch.Solitude;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.PauseWatch;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.fetch.QueueOrder;
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
import dev.mawashi.ruby.RubyRuntime;
import dev.mawashi.ruby.RubySettings;
import dev.mawashi.schedule.Promoter;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.RetryRules;
import dev.mawashi.settle.Settler;
import dev.mawashi.wire.MetricsShape;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The composition root: builds the server's parts from the bottom up, and ends them from the top
/// down. Nothing else makes a service.
public final class Server {
    private static final System.Logger LOG = System.getLogger(Server.class.getName());
    private static final int NONCE_BYTES = 6;
    private static final Duration PART_PATIENCE = Duration.ofSeconds(5);

    private final ServerSettings settings;
    private final Map<String, String> environment;
    private final InstantSource clock = InstantSource.system();
    private final Listener listener = new EventLog();
    private final Outage outage = new Outage(listener, System::nanoTime);
    private final Pauses pauses = new Pauses();
    private final Deque<Service> started = new ArrayDeque<>();
    private @Nullable RubyRuntime ruby;
    private @Nullable Client client;
    private volatile List<Capsule> capsules = List.of();
    private volatile @Nullable Census census;
    private Duration stopPatience = Duration.ZERO;
    private volatile boolean isStopping;
    private volatile boolean isQuietAsked;

    public Server(ServerSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = environment;
    }

    /// Waits for Redis, boots Ruby, loads the app and begins to work.
    ///
    /// @param onSignal takes the signals that Sidekiq's page sends: `TSTP`, `TERM`, `TTIN`
    /// @return false when `stop` came first
    /// @throws StartFailure when Redis will not do
    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    public boolean start(Consumer<String> onSignal) {
        Instant startedAt = clock.instant();
        RedisBroker broker = new RedisBroker(settings.redis(), DeadLimits.DEFAULT);
        if (!new RedisGate(broker, outage).pass(() -> isStopping)) {
            return false;
        }
        RubyRuntime runtime = bootRuby(broker);
        ruby = runtime;
        if (isStopping) {
            return false;
        }
        AppSettings app = runtime.settings();
        stopPatience = Duration.ofMillis(Math.round(app.timeoutSeconds() * 1_000));
        startServices(runtime, app, startedAt, onSignal);
        LOG.log(Level.INFO, describe(runtime));
        return true;
    }

    private void startServices(
            RubyRuntime runtime, AppSettings app, Instant startedAt, Consumer<String> onSignal) {
        DeadLimits limits =
                new DeadLimits(app.deadMaxJobs(), Duration.ofSeconds(app.deadSeconds()));
        RedisBroker broker = new RedisBroker(settings.redis(), limits);
        ProcessName name = name(runtime.sidekiqVersion(), app);
        Epoch epoch = new Epoch(name.identity());
        Settler settler = new Settler(broker.settling(), listener, outage);
        Optional<MetricsShape> metrics = metrics(runtime);
        RunTallies tallies = new RunTallies(metrics.isPresent());
        capsules = capsules(broker, runtime, app, epoch, settler, tallies);
        runtime.fire(LifecycleEvent.STARTUP);
        Census taken = new Census(name, app.labels(), capsules, startedAt);
        census = taken;
        start(
                new LeaseKeeper(
                        broker.leasing(), epoch, queues(), settings.lease(), listener, outage));
        start(settler);
        start(
                new Heartbeat(
                        new ProcessTable(broker.connect("beat")),
                        taken,
                        clock,
                        listener,
                        outage,
                        onSignal));
        start(
                new Recovery(
                        broker.leasing(),
                        epoch,
                        settings.lease().sweep(),
                        () -> capsules.forEach(Capsule::onSuspects),
                        listener,
                        outage));
        metrics.ifPresent(shape ->
                start(
                        new MetricsFlush(
                                new MetricsTable(broker.connect("metrics"), shape, name.identity()),
                                tallies,
                                clock,
                                listener,
                                outage)));
        start(new Promoter(broker.scheduling(), clock, listener, outage));
        start(new PauseWatch(broker.pausedQueues(), pauses, listener, outage));
        if (isQuietAsked) {
            quiet();
        } else {
            capsules.forEach(Capsule::start);
        }
    }

    private static Optional<MetricsShape> metrics(RubyRuntime runtime) {
        return runtime.countsRuns() ? MetricsShape.of(runtime.sidekiqVersion()) : Optional.empty();
    }

    private List<Capsule> capsules(
            RedisBroker broker,
            RubyRuntime runtime,
            AppSettings app,
            Epoch epoch,
            Settler settler,
            RunTallies tallies) {
        RetryPolicy policy =
                new RetryPolicy(
                        new RetryRules(
                                app.maxRetries(),
                                RetryRules.Backtraces.of(runtime.sidekiqVersion())),
                        clock,
                        () -> ThreadLocalRandom.current().nextLong(),
                        listener);
        Capsule.Parts parts =
                new Capsule.Parts(
                        broker,
                        new Execution.Threads(runtime.runner()),
                        policy,
                        settler,
                        epoch,
                        listener,
                        outage,
                        new Solitude(),
                        tallies,
                        pauses);
        return app.capsules().stream()
                .map(pool -> new Capsule(capsuleSettings(pool), parts))
                .toList();
    }

    private static CapsuleSettings capsuleSettings(AppSettings.Pool pool) {
        try {
            QueueOrder order = new QueueOrder(pool.queues());
            return new CapsuleSettings(pool.name(), pool.concurrency(), order);
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure("capsule \"" + pool.name() + "\": " + wrong.getMessage());
        }
    }

    /// Those of all capsules, none twice.
    private List<String> queues() {
        return capsules.stream()
                .flatMap(capsule -> capsule.settings().queues().names().stream())
                .distinct()
                .toList();
    }

    private RubyRuntime bootRuby(RedisBroker broker) {
        Client enqueuer = new Client(broker.enqueuing());
        client = enqueuer;
        return RubyRuntime.boot(
                new RubySettings(settings.app(), environment, settings.redis().url(), enqueuer));
    }

    private void start(Service service) {
        service.start();
        started.push(service);
    }

    private ProcessName name(String sidekiqVersion, AppSettings app) {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return new ProcessName(
                host(),
                ProcessHandle.current().pid(),
                HexFormat.of().formatHex(nonce),
                Objects.requireNonNullElse(app.tag(), settings.tagDefault()),
                sidekiqVersion.isEmpty() ? "8.1.0" : sidekiqVersion);
    }

    private String host() {
        String dyno = environment.getOrDefault("DYNO", "");
        if (!dyno.isEmpty()) {
            return dyno;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }

    private String describe(RubyRuntime runtime) {
        String api =
                runtime.sidekiqVersion().isEmpty()
                        ? "the API that Mawashi ships (no sidekiq gem found)"
                        : "the app's sidekiq gem " + runtime.sidekiqVersion();
        String work =
                capsules.stream()
                        .map(capsule -> describe(capsule.settings()))
                        .collect(Collectors.joining("; "));
        return "working on %s, runner jruby, %s, Redis %s".formatted(work, api, settings.redis());
    }

    private String describe(CapsuleSettings capsule) {
        QueueOrder order = capsule.queues();
        boolean isStrict = order.mode() == QueueOrder.Mode.STRICT;
        String queues =
                order.weights().entrySet().stream()
                        .map(queue ->
                                isStrict ? queue.getKey() : queue.getKey() + "," + queue.getValue())
                        .collect(Collectors.joining(", "));
        String name = capsules.size() == 1 ? "" : " (capsule " + capsule.name() + ")";
        return queues
                + " with "
                + capsule.slots()
                + (capsule.slots() == 1 ? " slot" : " slots")
                + name;
    }

    /// Claims no more; running jobs go on.
    public void quiet() {
        isQuietAsked = true;
        RubyRuntime runtime = ruby;
        if (!capsules.isEmpty() && runtime != null) {
            capsules.forEach(Capsule::quiet);
            runtime.runner().announceStop();
            runtime.fire(LifecycleEvent.QUIET);
        }
    }

    /// Logs what runs now, and the Ruby backtraces of all threads.
    void dump() {
        Census taken = census;
        RubyRuntime runtime = ruby;
        if (taken == null || runtime == null) {
            LOG.log(Level.INFO, "TTIN: nothing runs yet");
            return;
        }
        List<String> work = taken.describeWork();
        LOG.log(Level.INFO, "TTIN: running now: " + work.size());
        work.forEach(line -> LOG.log(Level.INFO, line));
        runtime.backtraces().forEach(trace -> LOG.log(Level.INFO, trace));
    }

    /// Runs ended and runs failed since the start.
    public long ended() {
        return capsules.stream().mapToLong(capsule -> capsule.counters().ended()).sum();
    }

    /// Lets a `start` that still waits for Redis return.
    void abortStart() {
        isStopping = true;
    }

    /// All at once: their running jobs share one patience.
    private void stopCapsules() {
        List<Thread> stops =
                capsules.stream()
                        .map(capsule ->
                                Thread.ofVirtual()
                                        .name("mawashi-stop-1")
                                        .start(() -> capsule.stop(stopPatience)))
                        .toList();
        for (Thread stop : stops) {
            try {
                stop.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Ends everything: running jobs get the app's `timeout`, the rest goes back to the head of its
    /// queue. May be called while `start` waits.
    public void stop() {
        isStopping = true;
        quiet();
        RubyRuntime runtime = ruby;
        if (!capsules.isEmpty() && runtime != null) {
            runtime.fire(LifecycleEvent.SHUTDOWN);
        }
        stopCapsules();
        while (!started.isEmpty()) {
            started.pop().stop(PART_PATIENCE);
        }
        if (runtime != null) {
            runtime.fire(LifecycleEvent.EXIT);
            runtime.close();
        }
        Client enqueuer = client;
        if (enqueuer != null) {
            enqueuer.close();
        }
    }
}
