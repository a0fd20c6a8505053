package dev.mawashi.web;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.scrape.ProcessFigures;
import java.time.Duration;
import java.util.Optional;

/// The vitals of a process with only the page: it can do its work if Redis answers.
final class PageVitals implements Vitals, AutoCloseable {
    /// However many probe, Redis is asked once in that time.
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final RedisConnection redis;
    private final Latest<Boolean> ping;

    /// @param redis closed with this
    PageVitals(RedisConnection redis) {
        this.redis = redis;
        ping = new Latest<>(() -> redis.call("PING") != null, AGE_MAX);
    }

    @Override
    public String stalled() {
        return "";
    }

    @Override
    public String unready() {
        return ping.get(PATIENCE).isPresent() ? "" : "Redis does not answer";
    }

    @Override
    public Optional<ProcessFigures> figures() {
        return Optional.empty();
    }

    @Override
    public void close() {
        ping.close();
        redis.close();
    }
}
