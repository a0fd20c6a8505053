package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.KeyReports;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PauseWatchIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private final RecordedEvents events = new RecordedEvents();
    private final Pauses pauses = new Pauses();
    private final AtomicInteger changes = new AtomicInteger();
    private final PauseWatch watch =
            new PauseWatch(
                    new KeyReports(SERVER.connect(), SERVER::connect).watch(Keys.PAUSED::equals),
                    pauses,
                    events,
                    new Outage(events, System::nanoTime));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void stop() {
        watch.stop(Duration.ofSeconds(20));
        redis.close();
    }

    private void start() {
        pauses.onChange(changes::incrementAndGet);
        watch.start();
        Eventually.until(
                "the set is watched",
                () ->
                        redis.call("CLIENT", "LIST") instanceof byte[] list
                                && new String(list, StandardCharsets.UTF_8)
                                        .contains("cmd=subscribe"));
    }

    private void await(Set<String> names) {
        Eventually.until("paused are " + names, () -> pauses.queues().equals(names));
    }

    @Test
    void whatIsPausedIsKnownWhenItHasStarted() {
        redis.call("SADD", "paused", "a", "b");

        watch.start();

        assertThat(pauses.queues()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void changesAreToldOnceEach() {
        start();

        redis.call("SADD", "paused", "a");
        await(Set.of("a"));
        redis.call("SADD", "paused", "b");
        await(Set.of("a", "b"));
        redis.call("SREM", "paused", "a", "b");
        await(Set.of());

        // Those who hear of a change do so once it is there.
        Eventually.until("all are told", () -> changes.get() == 3);
    }

    @Test
    void afterLostConnectionsItGoesOn() {
        start();
        redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        redis.call("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");

        redis.call("SADD", "paused", "a");

        await(Set.of("a"));
    }

    @Test
    void aKeyOfAWrongTypePausesNothingAndIsSaidOnce() {
        redis.call("SET", "paused", "x");
        start();
        assertThat(pauses.queues()).isEmpty();
        redis.call("SET", "paused", "y");
        redis.call("DEL", "paused");
        redis.call("SADD", "paused", "a");

        await(Set.of("a"));
        assertThat(events.of(Event.PausesUnreadable.class)).hasSize(1);
    }
}
