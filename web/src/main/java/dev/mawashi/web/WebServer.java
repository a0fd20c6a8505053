package dev.mawashi.web;

import dev.mawashi.desk.Desks;
import dev.mawashi.http.Access;
import dev.mawashi.http.HttpServer;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.pages.Shells;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.time.Duration;
import java.time.InstantSource;

/// Serves the pages of a fleet, with connections and threads of its own.
public final class WebServer implements Service {
    /// A page is there, or says why not, within twice that.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Desks desks;
    private final HttpServer http;

    /// @param redis where the jobs are; it need not be there
    /// @param version of Mawashi, for the pages' foot
    public WebServer(Access access, RedisAddress redis, InstantSource clock, String version) {
        desks =
                new Desks(
                        number ->
                                new RedisConnection(redis, "mawashi-web-" + (number + 1), PATIENCE),
                        clock,
                        PATIENCE);
        http =
                new HttpServer(
                        access, new Pages(desks, new Shells(clock, "" + redis, version)).routes());
    }

    /// @throws IllegalStateException with a message for the operator when it cannot listen there
    @Override
    public void start() {
        http.start();
    }

    /// Where it listens, such as `http://127.0.0.1:7433`.
    public String url() {
        return http.url();
    }

    @Override
    public void stop(Duration patience) {
        http.stop(patience);
        desks.close();
    }
}
