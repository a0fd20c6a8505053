package dev.mawashi.web;

import dev.mawashi.http.Access;
import dev.mawashi.http.HttpServer;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisConnection;
import java.time.Duration;
import java.time.InstantSource;

/// Answers probes and scrapes of a server, from before it waits for Redis until all has ended.
public final class HealthPort implements Service {
    private final Probes probes;
    private final HttpServer http;

    /// @param redis closed with this
    public HealthPort(Access access, Vitals vitals, RedisConnection redis, InstantSource clock) {
        probes = new Probes(vitals, redis, clock);
        http = new HttpServer(access, probes.routes());
    }

    /// @throws IllegalStateException with a message for the operator when it cannot listen there
    @Override
    public void start() {
        http.start();
    }

    /// Where it listens, such as `http://127.0.0.1:7434`.
    public String url() {
        return http.url();
    }

    @Override
    public void stop(Duration patience) {
        http.stop(patience);
        probes.close();
    }
}
