package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Broker;
import dev.mawashi.broker.CountingBroker;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// More queues than there are parked connections.
class ManyQueuesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final List<String> QUEUES =
            IntStream.rangeClosed(1, 40).mapToObj(i -> "q" + i).toList();

    private final RedisConnection redis = SERVER.connect();
    private final Pauses pauses = new Pauses();
    private @Nullable Fetcher fetcher;
    private @Nullable Thread waiter;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
        redis.call("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void close() {
        if (fetcher != null) {
            fetcher.close();
        }
        if (waiter != null) {
            awaitWoken(waiter);
        }
        redis.close();
    }

    /// Has claimed once, and found nothing.
    private Fetcher start(Broker broker) {
        Epoch epoch = new Epoch("me");
        try (var leasing = broker.leasing()) {
            leasing.open(epoch.owner(), QUEUES, Duration.ofMinutes(5));
        }
        epoch.leased().opened(QUEUES);
        epoch.leasedUntil(System.nanoTime() + Duration.ofMinutes(5).toNanos());
        Fetcher started =
                new Fetcher(
                        broker,
                        new OpenQueues(QueueOrder.strict(QUEUES), pauses),
                        epoch,
                        new LeavingReceiver());
        fetcher = started;
        assertThat(started.claim(5).leases()).isEmpty();
        return started;
    }

    private static RedisBroker broker() {
        return new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    }

    private static RedisBroker brokerOf(String user) {
        RedisAddress address =
                RedisAddress.parse(
                        "redis://%s:pw@127.0.0.1:%d".formatted(user, SERVER.address().port()));
        return new RedisBroker(address, DeadLimits.DEFAULT);
    }

    private Thread waiting(Fetcher fetcher) {
        Thread started = Thread.ofVirtual().name("mawashi-claim-1").start(fetcher::await);
        waiter = started;
        return started;
    }

    /// A field of what Redis says of one of our connections; empty when there is no such
    /// connection.
    private String client(String connection, String field) {
        String line = "(?m)^.* name=mawashi-" + connection + " .*$";
        return found(line, "CLIENT", "LIST")
                .flatMap(client -> found("(?<=\\b" + field + "=)\\S+", client))
                .orElse("");
    }

    private Optional<String> found(String pattern, String... command) {
        byte[] reply = (byte[]) Objects.requireNonNull(redis.call(command));
        return found(pattern, new String(reply, StandardCharsets.UTF_8));
    }

    private static Optional<String> found(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().findFirst().map(MatchResult::group);
    }

    private long calls(String command) {
        return found("(?<=cmdstat_" + command + ":calls=)\\d+", "INFO", "commandstats")
                .map(Long::parseLong)
                .orElse(0L);
    }

    private boolean isSilent(String connection) {
        String seconds = client(connection, "idle");
        return !seconds.isEmpty() && Integer.parseInt(seconds) >= 2;
    }

    private void awaitWatched() {
        Eventually.until(
                "the rest are watched",
                () ->
                        client("follow", "flags").contains("t")
                                && client("follow", "cmd").equals("exists"));
    }

    /// By more than the claimer's own look, which comes much later.
    private static void awaitWoken(Thread waiter) {
        Eventually.until("it wakes", () -> !waiter.isAlive());
    }

    private void assertWakesFor(String push, String key, Thread waiter) {
        redis.call(push, key, "1");

        awaitWoken(waiter);
        Fetcher claimer = Objects.requireNonNull(fetcher);
        // It may have been woken for what was there before; as a claimer it then waits again.
        while (claimer.claim(5).leases().isEmpty()) {
            awaitWoken(waiting(claimer));
        }
    }

    @Test
    void aJobInTheLastOneEndsTheWaitAndNothingIsPolled() {
        CountingBroker broker = new CountingBroker(broker());
        Thread waiter = waiting(start(broker));
        awaitWatched();
        long scripts = calls("evalsha");

        Eventually.until(
                "nothing is sent for seconds", () -> isSilent("claim") && isSilent("follow"));
        assertThat(calls("exists")).isLessThanOrEqualTo(3);
        assertThat(calls("evalsha")).isEqualTo(scripts);
        assertThat(waiter.isAlive()).isTrue();
        assertThat(broker.parkings()).isEqualTo(Arrivals.PARKED_MAX);

        assertWakesFor("LPUSH", "queue:q40", waiter);
    }

    @Test
    void aJobInAResqueQueueEndsTheWait() {
        ResqueKeys keys = new ResqueKeys("resque");
        Thread waiter =
                waiting(
                        start(
                                new RedisBroker(
                                        SERVER.address(), DeadLimits.DEFAULT, keys.layout())));
        awaitWatched();

        assertWakesFor("RPUSH", "resque:queue:q40", waiter);
    }

    @Test
    void aJobThatCameWhileNobodyWaitedIsSeen() {
        Fetcher fetcher = start(broker());
        Thread first = waiting(fetcher);
        awaitWatched();
        fetcher.wake();
        awaitWoken(first);

        redis.call("LPUSH", "queue:q40", "1");

        awaitWoken(waiting(fetcher));
        assertThat(fetcher.claim(5).leases()).hasSize(1);
    }

    @Test
    void itIsWatchedAgainWhenTheConnectionThatTellsIsCut() {
        Thread waiter = waiting(start(broker()));
        awaitWatched();

        redis.call("CLIENT", "KILL", "ID", client("watch", "id"));
        assertWakesFor("LPUSH", "queue:q40", waiter);
    }

    @Test
    void itIsWatchedAgainWithinSecondsWhenTheConnectionThatLooksIsCut() {
        Thread waiter = waiting(start(broker()));
        awaitWatched();

        redis.call("CLIENT", "KILL", "ID", client("follow", "id"));
        assertWakesFor("LPUSH", "queue:q40", waiter);
    }

    @Test
    void theyArePolledForAUserThatMayNotTrackKeys() {
        redis.call("ACL", "SETUSER", "poll", "on", ">pw", "~*", "&*", "+@all", "-client|tracking");
        Thread waiter = waiting(start(brokerOf("poll")));
        long scripts = calls("evalsha");

        Eventually.until("it looks again and again", () -> calls("exists") > 20);
        assertThat(calls("evalsha")).isEqualTo(scripts);

        assertWakesFor("LPUSH", "queue:q40", waiter);
    }

    @Test
    void theyAreClaimedFromAgainAndAgainForAUserThatMayNotLook() {
        redis.call("ACL", "SETUSER", "blind", "on", ">pw", "~*", "&*", "+@all", "-exists");
        Thread waiter = waiting(start(brokerOf("blind")));

        awaitWoken(waiter);
        assertWakesFor("LPUSH", "queue:q40", waiting(Objects.requireNonNull(fetcher)));
    }

    @Test
    void aPausedOneEndsNoWaitAndIsWatchedWhenThePauseIsOver() {
        pauses.set(Set.of("q40"));
        Fetcher fetcher = start(broker());
        Thread waiter = waiting(fetcher);
        awaitWatched();
        redis.call("LPUSH", "queue:q40", "paused");
        Eventually.until("nothing came of it", () -> isSilent("claim") && isSilent("follow"));
        assertThat(waiter.isAlive()).isTrue();

        pauses.set(Set.of());
        awaitWoken(waiter);
        assertThat(fetcher.claim(5).leases()).hasSize(1);
        long looks = calls("exists");
        Thread second = waiting(fetcher);
        Eventually.until("it has looked", () -> calls("exists") > looks);

        assertWakesFor("LPUSH", "queue:q40", second);
    }
}
