package dev.mawashi.server;

import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.web.HealthPort;
import dev.mawashi.web.Vitals;
import dev.mawashi.web.WebServer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The ports of a server: probes and scrapes, and the page. They are open from before it waits for
/// Redis until all has ended. What happens to them then changes nothing for jobs.
final class Ports implements Service {
    private static final System.Logger LOG = System.getLogger(Ports.class.getName());

    /// For one answer of Redis to a scrape.
    private static final Duration METRICS_PATIENCE = Duration.ofSeconds(2);

    private final @Nullable HealthPort health;
    private final @Nullable WebServer web;

    private Ports(@Nullable HealthPort health, @Nullable WebServer web) {
        this.health = health;
        this.web = web;
    }

    static Ports of(ServerSettings settings, InstantSource clock, Vitals vitals) {
        Listening wanted = settings.listening();
        // The ports are the server's that started it.
        if (settings.isAlone()) {
            return new Ports(null, null);
        }
        HealthPort health = null;
        if (wanted.health() != null && wanted.isHealthApart()) {
            RedisConnection redis =
                    new RedisConnection(settings.redis(), "mawashi-metrics", METRICS_PATIENCE);
            health = new HealthPort(wanted.health(), vitals, redis, clock);
        }
        return new Ports(
                health, wanted.web() == null ? null : new WebServer(wanted.web(), clock, vitals));
    }

    /// @throws StartFailure when it cannot listen at one of them
    @Override
    public void start() {
        try {
            if (health != null) {
                health.start();
                LOG.log(Level.INFO, "probes and metrics at " + health.url());
            }
            if (web != null) {
                web.start();
                LOG.log(Level.INFO, "the page, probes and metrics at " + web.url());
            }
        } catch (IllegalStateException taken) {
            throw new StartFailure(String.valueOf(taken.getMessage()));
        }
    }

    /// Where the page is; "" where there is none.
    String page() {
        return web == null ? "" : web.url();
    }

    @Override
    public void stop(Duration patience) {
        if (web != null) {
            web.stop(patience);
        }
        if (health != null) {
            health.stop(patience);
        }
    }
}
