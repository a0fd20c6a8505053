package dev.mawashi.broker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How long a job is waited for.
class ArrivalWaitIT {
    private static final Duration WAIT = Duration.ofSeconds(3);
    private static final Duration HELD_UP = Duration.ofMillis(200);

    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final ArrivalLists arrivals = new ArrivalLists();
    private final Parking parking =
            new RedisParking(server.connect(), new Holdings(), arrivals, QueueLayout.SIDEKIQ);

    @AfterEach
    void stop() {
        parking.close();
        redis.close();
        server.close();
    }

    /// A claim is under way meanwhile.
    @Test
    void theWaitForTheRightToParkIsAPartOfIt() throws InterruptedException {
        redis.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        ArrivalLists.Look look = arrivals.look(List.of("q"));
        Thread waiter = Thread.ofVirtual().start(() -> parking.awaitArrival("q", "me", WAIT));
        Eventually.until("it waits for the claim", this::isWaiting);
        long since = System.nanoTime();
        Eventually.until(
                "a part of the wait is over", () -> System.nanoTime() - since > HELD_UP.toNanos());

        redis.call("LPUSH", "queue:q", "1");
        arrivals.done(look);

        waiter.join();
        assertThat(secondsOfWait()).isBetween(0.0, (WAIT.toMillis() - HELD_UP.toMillis()) / 1e3);
    }

    private boolean isWaiting() {
        ArrivalLists.Look another = arrivals.look(List.of("q"));
        arrivals.done(another);
        return another.marks().equals("b");
    }

    /// What the command said that Redis has noted.
    private double secondsOfWait() {
        for (Object entry : (List<?>) requireNonNull(redis.call("SLOWLOG", "GET", "-1"))) {
            List<?> words = (List<?>) ((List<?>) entry).get(3);
            if (text(words.getFirst()).equals("BLMOVE")) {
                return Double.parseDouble(text(words.getLast()));
            }
        }
        throw new AssertionError("no BLMOVE");
    }

    private static String text(Object word) {
        return new String((byte[]) word, StandardCharsets.UTF_8);
    }
}
