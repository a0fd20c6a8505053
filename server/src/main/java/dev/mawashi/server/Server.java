package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.ProcessTable;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.presence.Census;
import dev.mawashi.presence.Heartbeat;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.ProcessName;
import dev.mawashi.presence.Recovery;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.ruby.RubyRuntime;
import dev.mawashi.ruby.RubySettings;
import dev.mawashi.schedule.Promoter;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.Settler;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
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
    private final Deque<Service> started = new ArrayDeque<>();
    private @Nullable RubyRuntime ruby;
    private @Nullable Client client;
    private @Nullable Capsule capsule;
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
        startServices(broker, runtime, startedAt, onSignal);
        LOG.log(Level.INFO, describe(runtime));
        return true;
    }

    private void startServices(
            RedisBroker broker, RubyRuntime runtime, Instant startedAt, Consumer<String> onSignal) {
        ProcessName name = name(runtime.sidekiqVersion());
        Epoch epoch = new Epoch(name.identity());
        Settler settler = new Settler(broker.settling(), listener, outage);
        RetryPolicy policy =
                new RetryPolicy(
                        RetryPolicy.MAX_RETRIES,
                        clock,
                        () -> ThreadLocalRandom.current().nextLong(),
                        listener);
        Capsule working =
                new Capsule(
                        settings.capsule(),
                        new Capsule.Parts(
                                broker,
                                runtime.runner(),
                                policy,
                                settler,
                                epoch,
                                listener,
                                outage));
        capsule = working;
        runtime.fire(LifecycleEvent.STARTUP);
        Census census = new Census(name, List.of(working), startedAt);
        start(new LeaseKeeper(broker.leasing(), epoch, settings.lease(), listener, outage));
        start(settler);
        start(
                new Heartbeat(
                        new ProcessTable(broker.connect("beat")),
                        census,
                        clock,
                        listener,
                        outage,
                        onSignal));
        start(
                new Recovery(
                        broker.leasing(),
                        epoch,
                        settings.lease().sweep(),
                        working::onSuspects,
                        listener,
                        outage));
        start(new Promoter(broker.scheduling(), clock, listener, outage));
        if (isQuietAsked) {
            quiet();
        } else {
            start(working);
        }
    }

    private RubyRuntime bootRuby(RedisBroker broker) {
        Client enqueuer = new Client(broker.enqueuing());
        client = enqueuer;
        return RubyRuntime.boot(
                new RubySettings(
                        settings.require(),
                        settings.environment(),
                        environment,
                        settings.capsule().slots(),
                        settings.redis().url(),
                        enqueuer));
    }

    private void start(Service service) {
        service.start();
        started.push(service);
    }

    private ProcessName name(String sidekiqVersion) {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return new ProcessName(
                host(),
                ProcessHandle.current().pid(),
                HexFormat.of().formatHex(nonce),
                settings.tag(),
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
        return "working on %s with %d slots, runner jruby, %s, Redis %s"
                .formatted(
                        String.join(", ", settings.capsule().queues()),
                        settings.capsule().slots(),
                        api,
                        settings.redis());
    }

    /// Claims no more; running jobs go on.
    public void quiet() {
        isQuietAsked = true;
        Capsule working = capsule;
        RubyRuntime runtime = ruby;
        if (working != null && runtime != null) {
            working.quiet();
            runtime.runner().announceStop();
            runtime.fire(LifecycleEvent.QUIET);
        }
    }

    /// Runs ended and runs failed since the start.
    public long ended() {
        Capsule working = capsule;
        return working == null ? 0 : working.counters().ended();
    }

    /// Lets a `start` that still waits for Redis return.
    void abortStart() {
        isStopping = true;
    }

    /// Ends everything: running jobs get the settings' patience, the rest goes back to the head of
    /// its queue. May be called while `start` waits.
    public void stop() {
        isStopping = true;
        quiet();
        RubyRuntime runtime = ruby;
        if (capsule != null && runtime != null) {
            runtime.fire(LifecycleEvent.SHUTDOWN);
        }
        while (!started.isEmpty()) {
            Service service = started.pop();
            service.stop(service == capsule ? settings.stopPatience() : PART_PATIENCE);
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
