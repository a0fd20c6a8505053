package dev.mawashi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientIT {
    private static final Instant SOON = Instant.ofEpochSecond(4_000_000_000L);
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final Client client =
            new Client(new RedisBroker(proxy.address(), DeadLimits.DEFAULT).enqueuing());

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
        client.close();
        proxy.close();
        redis.close();
    }

    private static NewJob job(String queue, String payload) {
        return new NewJob(queue, payload.getBytes(StandardCharsets.UTF_8), null);
    }

    private static NewJob later(String payload, Instant at) {
        return new NewJob("q", payload.getBytes(StandardCharsets.UTF_8), at);
    }

    private byte[] next(String queue) {
        return redis.call("RPOP", queue) instanceof byte[] payload ? payload : new byte[0];
    }

    @Test
    void tenThousandJobsGoInOneCallAndKeepTheirOrder() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            jobs.add(job(i % 4 == 0 ? "high" : "low", "" + i));
        }

        client.enqueue(jobs);

        assertThat(redis.call("LLEN", "queue:high")).isEqualTo(2_500L);
        assertThat(redis.call("LLEN", "queue:low")).isEqualTo(7_500L);
        assertThat(next("queue:high")).asString().isEqualTo("0");
        assertThat(next("queue:high")).asString().isEqualTo("4");
        assertThat(next("queue:low")).asString().isEqualTo("1");
        assertThat(redis.call("SCARD", "queues")).isEqualTo(2L);
    }

    @Test
    void jobsOfSeveralKindsTakeOneRoundTrip() {
        client.enqueue(List.of(job("q", "first")));
        int bursts = proxy.bursts();

        client.enqueue(List.of(job("a", "1"), later("2", Instant.EPOCH), job("b", "3")));

        assertThat(proxy.bursts()).isEqualTo(bursts + 1);
    }

    /// Gems that note the time too, as sidekiq-unique-jobs does, find the job by it.
    @Test
    void aJobForLaterKeepsTheTimeThatTheAppGave() {
        double seconds = 1_795_895_420.9793103;
        client.enqueue(List.of(later("x", NewJob.moment(seconds))));

        assertThat(redis.call("ZSCORE", "schedule", "x"))
                .isEqualTo("1795895420.9793103".getBytes(StandardCharsets.UTF_8));
        assertThat(redis.call("ZCOUNT", "schedule", "" + seconds, "" + seconds)).isEqualTo(1L);
        assertThat(redis.call("EXISTS", "queues", "queue:q")).isEqualTo(0L);
    }

    @Test
    void whatIsNeverDueStaysScheduled() {
        client.enqueue(
                List.of(
                        later("never", NewJob.moment(Double.POSITIVE_INFINITY)),
                        later("ever", NewJob.moment(Double.NEGATIVE_INFINITY)),
                        later("late", NewJob.moment(4e9 + 0.25))));

        assertThat(redis.call("ZSCORE", "schedule", "never"))
                .isEqualTo("inf".getBytes(StandardCharsets.UTF_8));
        assertThat(redis.call("ZCOUNT", "schedule", "-inf", "0")).isEqualTo(1L);
        assertThat(redis.call("ZSCORE", "schedule", "late"))
                .isEqualTo("4000000000.25".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void onePayloadOverTheLimitKeepsAllFromBeingStored() {
        String large = "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX + 1);

        assertThatThrownBy(() ->
                        client.enqueue(
                                List.of(
                                        job("q", "small"),
                                        later("late", Instant.MAX),
                                        job("q", large))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16,777,217 bytes, limit is 16,777,216");

        assertThat(redis.call("DBSIZE")).isEqualTo(0L);
        client.enqueue(List.of(job("q", large.substring(1))));
        assertThat(redis.call("DBSIZE")).isEqualTo(2L);
    }

    @Test
    void noJobsAreNoTrouble() {
        client.enqueue(List.of());

        assertThat(redis.call("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void whatOthersEnqueueMeanwhileGoesTogether() throws Exception {
        client.enqueue(List.of(job("q", "first")));
        int bursts = proxy.bursts();
        List<Future<?>> all =
                enqueueTogether(
                        i -> List.of(job(i % 2 == 0 ? "a" : "b", "" + i), later("l" + i, SOON)),
                        20);
        for (Future<?> each : all) {
            each.get();
        }
        assertThat(proxy.bursts()).isEqualTo(bursts + 2);
        assertThat(redis.call("LLEN", "queue:a")).isEqualTo(10L);
        assertThat(redis.call("LLEN", "queue:b")).isEqualTo(10L);
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(20L);
    }

    @Test
    void eachOfSeveralCallersIsTold() {
        redis.call("SET", "queue:b", "no list");
        client.enqueue(List.of(job("q", "first")));
        int bursts = proxy.bursts();
        String large = "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX + 1);

        List<@Nullable RuntimeException> refusals =
                client.enqueueEach(
                        List.of(
                                List.of(job("a", "1"), later("l", SOON)),
                                List.of(job("b", "2")),
                                List.of(job("a", "3"), job("a", large)),
                                List.of(),
                                List.of(job("a", "4"))));

        assertThat(refusals)
                .extracting(String::valueOf)
                .satisfiesExactly(
                        stored -> assertThat(stored).isEqualTo("null"),
                        refused -> assertThat(refused).contains("WRONGTYPE"),
                        tooLarge -> assertThat(tooLarge).contains("16,777,217 bytes"),
                        none -> assertThat(none).isEqualTo("null"),
                        stored -> assertThat(stored).isEqualTo("null"));
        assertThat(proxy.bursts()).isEqualTo(bursts + 1);
        assertThat(redis.call("LLEN", "queue:a")).isEqualTo(2L);
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(1L);
    }

    @Test
    void onlyTheCallerOfARefusedJobHearsOfIt() throws Exception {
        redis.call("SET", "queue:b", "no list");
        client.enqueue(List.of(job("q", "first")));
        List<Future<?>> all = enqueueTogether(i -> List.of(job(i % 2 == 0 ? "a" : "b", "" + i)), 6);
        for (int i = 0; i < all.size(); i++) {
            Future<?> each = all.get(i);
            if (i % 2 == 0) {
                each.get();
            } else {
                assertThatThrownBy(each::get)
                        .hasCauseInstanceOf(RedisFailure.class)
                        .hasMessageContaining("WRONGTYPE");
            }
        }
        assertThat(redis.call("LLEN", "queue:a")).isEqualTo(3L);
    }

    /// Has one job on its way, whose reply is held back until all the others wait.
    private List<Future<?>> enqueueTogether(IntFunction<List<NewJob>> jobs, int callers) {
        proxy.holdReplies();
        int bursts = proxy.bursts();
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            all.add(threads.submit(() -> client.enqueue(List.of(job("q", "alone")))));
            Eventually.until("it has gone", () -> proxy.bursts() == bursts + 1);
            int waiting = 0;
            for (int i = 0; i < callers; i++) {
                List<NewJob> mine = jobs.apply(i);
                waiting += mine.size();
                all.add(threads.submit(() -> client.enqueue(mine)));
            }
            int expected = waiting;
            Eventually.until("all wait", () -> client.waiting() == expected);
            proxy.releaseReplies();
        }
        return all.subList(1, all.size());
    }

    @Test
    void aCutSaysWhetherTheJobsMayBeStored() {
        client.enqueue(List.of(job("q", "first")));
        proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);

        assertThatThrownBy(() -> client.enqueue(List.of(job("q", "second"))))
                .isInstanceOfSatisfying(
                        RedisFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.UNKNOWN));
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(2L);
        proxy.shut();
        assertThatThrownBy(() -> client.enqueue(List.of(job("q", "third"))))
                .isInstanceOfSatisfying(
                        RedisFailure.class,
                        failure ->
                                assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.NOT_SENT));
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(2L);
        proxy.admit();

        client.enqueue(List.of(job("q", "fourth")));

        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(3L);
    }
}
