package dev.mawashi.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AtomicEnqueuingIT {
    private static final Instant SOON = Instant.ofEpochSecond(4_000_000_000L, 250_000_000);
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisConnection proxied = connect();
    private final AtomicEnqueuing enqueuing = new AtomicEnqueuing(proxied);

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        redis.call("CONFIG", "SET", "maxmemory", "0");
        proxied.close();
        proxy.close();
        redis.close();
    }

    private RedisConnection connect() {
        return new RedisConnection(proxy.address(), "test", Duration.ofSeconds(5));
    }

    private static AtomicEnqueuing.Job job(String queue, String payload) {
        return new AtomicEnqueuing.Job(queue, payload.getBytes(UTF_8), null);
    }

    private static AtomicEnqueuing.Job later(String payload) {
        return new AtomicEnqueuing.Job("q", payload.getBytes(UTF_8), SOON);
    }

    private static AtomicEnqueuing.Receipt receipt(String text) {
        return new AtomicEnqueuing.Receipt("mw:idempotency:k", text, Duration.ofDays(1));
    }

    private List<String> strings(String... command) {
        List<String> strings = new ArrayList<>();
        if (redis.call(command) instanceof List<?> replies) {
            replies.forEach(reply -> strings.add(new String((byte[]) reply, UTF_8)));
        }
        return strings;
    }

    @Test
    void jobsOfAllKindsKeepTheirOrderAndTheirTime() {
        Optional<String> earlier =
                enqueuing.enqueue(
                        List.of(
                                job("b", "1"),
                                later("l1"),
                                job("a", "2"),
                                job("b", "3"),
                                later("l2")),
                        null);

        assertThat(earlier).isEmpty();
        assertThat(strings("LRANGE", "queue:b", "0", "-1")).containsExactly("3", "1");
        assertThat(strings("LRANGE", "queue:a", "0", "-1")).containsExactly("2");
        assertThat(strings("SMEMBERS", "queues")).containsExactlyInAnyOrder("a", "b");
        assertThat(strings("ZRANGE", "schedule", "0", "-1", "WITHSCORES"))
                .containsExactly("l1", "4000000000.25", "l2", "4000000000.25");
        assertThat(redis.call("DBSIZE")).isEqualTo(4L);
    }

    @Test
    void jobsForLaterAloneTouchNoQueueAndJobsForNowNoSchedule() {
        redis.call("SET", "queues", "no set");
        enqueuing.enqueue(List.of(later("l")), null);
        assertThat(strings("ZRANGE", "schedule", "0", "-1")).containsExactly("l");

        redis.call("DEL", "queues", "schedule");
        redis.call("SET", "schedule", "no sorted set");
        enqueuing.enqueue(List.of(job("q", "now")), null);
        assertThat(strings("LRANGE", "queue:q", "0", "-1")).containsExactly("now");
    }

    @Test
    void aCallWithAReceiptIsDoneOnceAndTheReceiptEndsAfterItsTime() {
        assertThat(enqueuing.enqueue(List.of(job("q", "1"), later("l")), receipt("first")))
                .isEmpty();
        assertThat(enqueuing.enqueue(List.of(job("q", "2"), later("m")), receipt("second")))
                .contains("first");

        assertThat(strings("LRANGE", "queue:q", "0", "-1")).containsExactly("1");
        assertThat(strings("ZRANGE", "schedule", "0", "-1")).containsExactly("l");
        assertThat((Long) redis.call("TTL", "mw:idempotency:k")).isBetween(86_000L, 86_400L);
        redis.call("DEL", "mw:idempotency:k");
        assertThat(enqueuing.enqueue(List.of(job("q", "3")), receipt("third"))).isEmpty();
        assertThat(strings("LRANGE", "queue:q", "0", "-1")).containsExactly("3", "1");
    }

    @Test
    void ofManyCallsAtOnceWithTheSameReceiptOneIsDone() throws Exception {
        int callers = 16;
        CyclicBarrier together = new CyclicBarrier(callers);
        List<Future<Optional<String>>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            for (int i = 0; i < callers; i++) {
                String name = "call " + i;
                all.add(
                        threads.submit(() -> {
                            try (RedisConnection own = connect()) {
                                own.connect();
                                together.await();
                                return new AtomicEnqueuing(own)
                                        .enqueue(List.of(job("q", name)), receipt(name));
                            }
                        }));
            }
        }
        List<String> stored = strings("LRANGE", "queue:q", "0", "-1");
        assertThat(stored).hasSize(1);
        int done = 0;
        for (Future<Optional<String>> one : all) {
            done += one.get().isEmpty() ? 1 : 0;
            assertThat(one.get().orElse(stored.getFirst())).isEqualTo(stored.getFirst());
        }
        assertThat(done).isOne();
    }

    @Test
    void aCallWhoseReplyWasLostIsRepeatedAndDoneOnce() {
        enqueuing.enqueue(List.of(job("q", "0")), null);
        proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
        List<AtomicEnqueuing.Job> jobs = List.of(job("q", "1"), later("l"));

        assertThatThrownBy(() -> enqueuing.enqueue(jobs, receipt("first")))
                .isInstanceOfSatisfying(
                        RedisFailure.class,
                        lost -> assertThat(lost.kind()).isEqualTo(RedisFailure.Kind.UNKNOWN));
        assertThat(enqueuing.enqueue(jobs, receipt("again"))).contains("first");

        assertThat(strings("LRANGE", "queue:q", "0", "-1")).containsExactly("1", "0");
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(1L);
    }

    @Test
    void aCallThatNeverCameToRedisIsRepeatedAndDoneOnce() {
        enqueuing.enqueue(List.of(job("q", "0")), null);
        proxy.cutBeforeSend(proxy.bursts() + 1);

        assertThatThrownBy(() -> enqueuing.enqueue(List.of(job("q", "1")), receipt("first")))
                .isInstanceOf(RedisFailure.class);
        assertThat(enqueuing.enqueue(List.of(job("q", "1")), receipt("again"))).isEmpty();

        assertThat(strings("LRANGE", "queue:q", "0", "-1")).containsExactly("1", "0");
    }

    @Test
    void aFullRedisRefusesAndHasNothingOfIt() {
        enqueuing.enqueue(List.of(job("q", "0")), null);
        redis.call("CONFIG", "SET", "maxmemory", "1");

        assertThatThrownBy(() ->
                        enqueuing.enqueue(List.of(job("q", "1"), later("l")), receipt("first")))
                .isInstanceOfSatisfying(
                        RedisFailure.class, full -> assertThat(full.code()).isEqualTo("OOM"));
        redis.call("CONFIG", "SET", "maxmemory", "0");

        assertThat(strings("LRANGE", "queue:q", "0", "-1")).containsExactly("0");
        assertThat(redis.call("EXISTS", "schedule", "mw:idempotency:k")).isEqualTo(0L);
    }

    @Test
    void asManyAsACallMayHaveAndNoMore() {
        List<AtomicEnqueuing.Job> most = new ArrayList<>();
        for (int i = 0; i < AtomicEnqueuing.JOBS_MAX; i++) {
            most.add(i % 2 == 0 ? job("q" + i, "" + i) : later("" + i));
        }
        assertThat(enqueuing.enqueue(most, receipt("all"))).isEmpty();
        assertThat(redis.call("SCARD", "queues")).isEqualTo(AtomicEnqueuing.JOBS_MAX / 2L);
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(AtomicEnqueuing.JOBS_MAX / 2L);

        most.add(job("q", "more"));
        assertRefused(most, receipt("more"));
        assertRefused(List.of(), null);
    }

    private void assertRefused(
            List<AtomicEnqueuing.Job> jobs, AtomicEnqueuing.@Nullable Receipt receipt) {
        assertThatThrownBy(() -> enqueuing.enqueue(jobs, receipt))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jobs, not 1 to");
    }
}
