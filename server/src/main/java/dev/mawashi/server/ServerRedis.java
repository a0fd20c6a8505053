package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.web.Vitals;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The Redis of a server, with the parts that need it from before the app is loaded on: the ports,
/// and the rules on what is hidden. Once the app is loaded it may be another one, see
/// `MeetingPlace.look`; then these parts are made anew.
final class ServerRedis {
    private static final Duration PORTS_STOP = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Vitals vitals;
    private final Outage outage;
    private volatile Parts parts;
    private boolean isOpen;

    private record Parts(
            ServerSettings settings,
            RedisBroker broker,
            RedisGate gate,
            SharedRules rules,
            Ports ports) {}

    ServerRedis(ServerSettings settings, InstantSource clock, Vitals vitals, Outage outage) {
        this.clock = clock;
        this.vitals = vitals;
        this.outage = outage;
        parts = parts(settings);
    }

    private Parts parts(ServerSettings settings) {
        RedisBroker broker = new RedisBroker(settings.redis(), DeadLimits.DEFAULT);
        return new Parts(
                settings,
                broker,
                new RedisGate(broker, outage, settings.isStrict()),
                new SharedRules(settings),
                Ports.of(settings, clock, vitals));
    }

    /// The server's settings, in this Redis.
    ServerSettings settings() {
        return parts.settings();
    }

    RedisBroker broker() {
        return parts.broker();
    }

    SharedRules rules() {
        return parts.rules();
    }

    /// Opens the ports.
    ///
    /// @throws StartFailure when it cannot listen at one of them
    synchronized void open() {
        isOpen = true;
        parts.ports().start();
    }

    /// Where the page is; "" where there is none.
    String page() {
        return parts.ports().page();
    }

    /// Closes the ports, for good.
    synchronized void close() {
        isOpen = false;
        parts.ports().stop(PORTS_STOP);
    }

    /// Waits until the app may be loaded, which may want this Redis too. Nobody waits for one that
    /// nobody has named.
    ///
    /// @return false when the wait was ended
    /// @throws StartFailure when it is the one for good, and will not do
    boolean awaitLoad(BooleanSupplier isStopping) {
        ServerSettings settings = settings();
        if (!settings.followsApp()) {
            return parts.gate().pass(isStopping);
        }
        return settings.redisSource().equals(ServerSettings.NAMED_BY_NOBODY)
                || parts.gate().awaitAnswer(isStopping);
    }

    /// Loads the app, turns to its Redis where that counts, and waits until the one for good is
    /// ready.
    ///
    /// @param identity of this process in Redis
    /// @return null when the wait was ended
    /// @throws StartFailure when the one for good will not do
    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    @Nullable Apps load(
            Map<String, String> environment, String identity, BooleanSupplier isStopping) {
        ServerSettings given = settings();
        try (MeetingPlace place = new MeetingPlace(given.redis(), identity)) {
            Apps loaded = Apps.load(given, environment, this::broker, identity);
            boolean isReady = false;
            try {
                ServerSettings now = place.look(loaded.redis(), given);
                if (now != given) {
                    turn(now);
                }
                isReady = !given.followsApp() || parts.gate().pass(isStopping);
            } finally {
                if (!isReady) {
                    loaded.close();
                }
            }
            return isReady ? loaded : null;
        }
    }

    private synchronized void turn(ServerSettings settings) {
        Parts before = parts;
        if (isOpen) {
            before.ports().stop(PORTS_STOP);
        }
        parts = parts(settings);
        if (isOpen) {
            parts.ports().start();
        }
    }

    /// See `RedisGate.report`.
    void report() {
        parts.gate().report();
    }
}
