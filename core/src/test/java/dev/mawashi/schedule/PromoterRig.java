package dev.mawashi.schedule;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.TimeStyle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Promoters that run on a real Redis, and what a test sees of them there.
abstract class PromoterRig {
    static final Duration LONG = Duration.ofSeconds(20);

    final RedisConnection redis;
    final RecordedEvents events = new RecordedEvents();
    final List<Promoter> promoters = new ArrayList<>();
    private final RedisServerForTests server;

    PromoterRig(RedisServerForTests server) {
        this.server = server;
        redis = server.connect();
    }

    @BeforeEach
    void emptyServer() {
        server.flushAll();
    }

    @AfterEach
    void stop() {
        promoters.forEach(promoter -> promoter.stop(LONG));
        redis.close();
    }

    void start(RedisAddress address) {
        start(address, InstantSource.system());
    }

    void start(RedisAddress address, InstantSource clock) {
        RedisBroker broker = new RedisBroker(address, DeadLimits.DEFAULT);
        Promoter promoter =
                new Promoter(
                        broker.scheduling(),
                        TimeStyle.INTEGER_MILLIS,
                        clock,
                        events,
                        new Outage(events, System::nanoTime));
        promoters.add(promoter);
        promoter.start();
    }

    void startAndAwaitIdle() {
        start(server.address());
        Eventually.until("the sets are watched", () -> clients().contains("cmd=subscribe"));
        promoteOne("first");
        idleMoment();
    }

    String clients() {
        return text(redis.call("CLIENT", "LIST"));
    }

    static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    /// Waits half a second, by the server's clock.
    void idleMoment() {
        pause("0.5");
    }

    void pause(String seconds) {
        redis.callBlocking(
                Duration.ofSeconds(1),
                RedisConnection.ascii("BLPOP"),
                RedisConnection.ascii("nothing"),
                RedisConnection.ascii(seconds));
    }

    /// Adds a due job and waits until it is in its queue.
    void promoteOne(String jid) {
        long before = length("queue:low");
        redis.call("ZADD", "schedule", "1", "{\"queue\":\"low\",\"jid\":\"" + jid + "\"}");
        Eventually.until(jid + " moves", () -> length("queue:low") > before);
    }

    long length(String list) {
        return redis.call("LLEN", list) instanceof Long length ? length : 0;
    }

    long scriptCalls() {
        Matcher calls =
                Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                        .matcher(text(redis.call("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    long serverSeconds() {
        return redis.call("TIME") instanceof List<?> time
                ? Long.parseLong(text(time.getFirst()))
                : 0;
    }
}
