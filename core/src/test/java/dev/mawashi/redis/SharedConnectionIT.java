package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Several who share a socket, each as if it were alone.
class SharedConnectionIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String NAME = "shared";

    private final RedisConnection one =
            new RedisConnection(REDIS.server().address(), NAME, PATIENCE);
    private final RedisConnection other = one.beside();

    private static long open() {
        return REDIS.text("CLIENT", "LIST").lines().filter(line -> line.contains(NAME)).count();
    }

    @Test
    void eachGetsItsOwnRepliesOverOneSocket() throws Exception {
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int user = 0; user < 4; user++) {
            int number = user;
            threads.add(
                    Thread.ofPlatform()
                            .name("test-shares-1")
                            .start(() -> echo(one.beside(), number, wrong)));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wrong).isEmpty();
        Eventually.until("the last of them has closed it", PATIENCE, () -> open() == 0);
    }

    private static void echo(RedisConnection own, int number, Queue<String> wrong) {
        try (own) {
            for (int i = 0; i < 500; i++) {
                String word = number + " " + i;
                RedisCalls.queue(own, "ECHO", word);
                RedisCalls.queue(own, "ECHO", word + " again");
                List<String> heard = RedisCalls.flush(own).stream().map(FreshRedis::text).toList();
                if (!heard.equals(List.of(word, word + " again"))) {
                    wrong.add(word + ": " + heard);
                }
                if (number == 0 && i == 250 && open() != 1) {
                    wrong.add("there is more than one socket");
                }
            }
        }
    }

    @Test
    void theSocketStaysUntilTheLastOneCloses() {
        one.call("PING");
        other.call("PING");
        one.close();
        one.close();
        assertThat(open()).isEqualTo(1);

        int before = other.generation();
        other.call("PING");
        assertThat(other.generation()).isEqualTo(before);

        other.close();
        Eventually.until("it is closed", PATIENCE, () -> open() == 0);
    }

    @Test
    void whatOneHasNotSentYetIsNotTheOthers() {
        RedisCalls.queue(one, "SET", "key", "1");
        other.call("PING");
        assertThat(REDIS.text("GET", "key")).isEmpty();

        other.close();
        one.flush();
        assertThat(REDIS.text("GET", "key")).isEqualTo("1");
        one.close();
    }

    @Test
    void afterOneHasLostItTheOtherGoesOnWithAnother() {
        one.call("PING");
        other.call("PING");
        int before = other.generation();
        REDIS.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        assertThatThrownBy(() -> one.call("PING"))
                .isInstanceOfSatisfying(
                        RedisFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.UNKNOWN));
        assertThat(FreshRedis.text(other.call("PING"))).isEqualTo("PONG");
        assertThat(other.generation()).isGreaterThan(before);
        one.close();
        other.close();
    }

    @Test
    void oneMayHaveBothUseAnother() {
        one.call("PING");
        int before = other.generation();
        one.renew();

        other.call("PING");
        assertThat(other.generation()).isGreaterThan(before);
        one.close();
        other.close();
    }
}
