package dev.mawashi.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.client.NewJob;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs enqueued over HTTP, in a real Redis.
final class EnqueueIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final long NOW = WebRig.NOW.getEpochSecond();
    private static final String ONE = "{\"class\":\"Report\",\"args\":[1]}";

    private final RedisConnection redis = SERVER.connect();
    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private EnqueueRig rig;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        rig = new EnqueueRig(proxy.address());
    }

    @AfterEach
    void close() {
        redis.call("CONFIG", "SET", "maxmemory", "0");
        rig.close();
        proxy.close();
        redis.close();
    }

    @Test
    void aJobIsWhatSidekiqsClientWrites() {
        EnqueueRig.Reply reply =
                rig.post(
                        "{\"class\":\"Report\",\"args\":[1.50, \"é\"],\"queue\":\"low\","
                                + "\"retry\":3,\"tags\":[\"vip\"]}");

        assertThat(reply.status()).isEqualTo(200);
        String jid = reply.jids().getFirst();
        assertThat(reply.body())
                .isEqualTo("{\"jids\":[\"%s\"],\"replayed\":false}\n".formatted(jid));
        assertThat(EnqueueRig.queue(redis, "low"))
                .containsExactly(
                        "{\"retry\":3,\"queue\":\"low\",\"class\":\"Report\",\"args\":[1.50, \"é\"],"
                                + "\"tags\":[\"vip\"],\"jid\":\"%s\",\"created_at\":%d000,\"enqueued_at\":%d000}"
                                        .formatted(jid, NOW, NOW));
        assertThat(redis.call("SISMEMBER", "queues", "low")).isEqualTo(1L);
        assertThat(redis.call("DBSIZE")).isEqualTo(2L);
    }

    @Test
    void fieldsThatAreLeftOutAreSidekiqsDefaults() {
        assertThat(rig.post(" {\"class\":\"Report\"}\n").status()).isEqualTo(200);
        assertThat(EnqueueRig.queue(redis, "default"))
                .singleElement()
                .asString()
                .startsWith(
                        "{\"retry\":true,\"queue\":\"default\",\"class\":\"Report\",\"args\":[],\"jid\"");
    }

    @Test
    void manyJobsKeepTheirOrderAndThoseForLaterTheirTime() {
        String at = (NOW + 60) + ".25";
        EnqueueRig.Reply reply =
                rig.post(
                        "[{\"class\":\"A\"},{\"class\":\"B\",\"at\":%s},{\"class\":\"C\"},{\"class\":\"D\",\"at\":%d}]"
                                .formatted(at, NOW - 5));

        List<String> jids = reply.jids();
        assertThat(new HashSet<>(jids)).hasSize(4);
        List<String> now = EnqueueRig.queue(redis, "default");
        assertThat(now).hasSize(3);
        assertThat(now.get(0)).contains("\"A\"", jids.get(0));
        assertThat(now.get(1)).contains("\"C\"", jids.get(2));
        assertThat(now.get(2)).contains("\"D\"", jids.get(3), "\"enqueued_at\"");
        List<String> later =
                EnqueueRig.strings(redis, "ZRANGE", "schedule", "0", "-1", "WITHSCORES");
        assertThat(later).hasSize(2);
        assertThat(later.get(0))
                .contains("\"B\"", jids.get(1))
                .doesNotContain("\"at\"", "enqueued_at");
        assertThat(later.get(1)).isEqualTo(at);
    }

    @Test
    void theSameKeyAndBodyEnqueuesOnce() {
        EnqueueRig.Reply first = rig.keyed("nightly-2026-11-26", ONE);
        EnqueueRig.Reply second = rig.keyed("nightly-2026-11-26", ONE);

        assertThat(first.body()).endsWith("\"replayed\":false}\n");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body())
                .isEqualTo(first.body().replace("\"replayed\":false", "\"replayed\":true"));
        assertThat(EnqueueRig.queue(redis, "default")).hasSize(1);
        assertThat(rig.keyed("nightly-2026-11-27", ONE).jids()).isNotEqualTo(first.jids());
        assertThat(rig.post(ONE).jids()).isNotEqualTo(first.jids());
        assertThat(EnqueueRig.queue(redis, "default")).hasSize(3);
    }

    @Test
    void theSameKeyWithAnotherBodyChangesNothing() {
        rig.keyed("k", ONE);
        Map<String, String> before = FullRedis.dump(redis);
        for (String other : List.of(ONE + " ", "{\"class\":\"Report\",\"args\":[2]}")) {
            EnqueueRig.assertRefused(
                    rig.keyed("k", other), 409, "send this one with a key of its own");
        }
        assertThat(FullRedis.dump(redis)).isEqualTo(before);
    }

    @Test
    void aKeyIsKeptForADayAndNobodyReadsItInRedis() {
        rig.keyed("secret-order-7", ONE);

        String key = EnqueueRig.strings(redis, "KEYS", "mw:*").getFirst();
        assertThat(key).matches("mw:idempotency:[0-9a-f]{64}");
        assertThat((Long) redis.call("TTL", key)).isBetween(86_000L, 86_400L);
        assertThat(new String((byte[]) redis.call("GET", key), UTF_8))
                .matches("[0-9a-f]{64} [0-9a-f]{24}");
        redis.call("DEL", key);
        assertThat(rig.keyed("secret-order-7", ONE).body()).contains("\"replayed\":false");
    }

    @Test
    void ofManyRequestsAtOnceWithTheSameKeyOneEnqueues() throws Exception {
        int callers = 8;
        CyclicBarrier together = new CyclicBarrier(callers);
        List<Future<EnqueueRig.Reply>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            for (int i = 0; i < callers; i++) {
                all.add(
                        threads.submit(() -> {
                            together.await();
                            return rig.keyed("race", ONE);
                        }));
            }
        }
        Set<String> jids = new HashSet<>();
        int enqueued = 0;
        for (Future<EnqueueRig.Reply> one : all) {
            // A fifth caller may wait for a desk in vain; it is told so, and nothing was done.
            if (one.get().status() == 200) {
                jids.addAll(one.get().jids());
                enqueued += one.get().body().contains("false") ? 1 : 0;
            }
        }
        assertThat(jids).hasSize(1);
        // The one that did it may have waited for its answer in vain.
        assertThat(enqueued).isLessThanOrEqualTo(1);
        assertThat(EnqueueRig.queue(redis, "default")).singleElement().asString().contains(jids);
    }

    /// The page's own reads take some of the cuts, so it goes on until three requests had one.
    @Test
    void aRequestWhoseAnswerWasLostIsSentAgainAndEnqueuesOnce() {
        String both = "[" + ONE + ",{\"class\":\"Later\",\"at\":" + (NOW + 60) + "}]";
        int sent = 0;
        for (int lost = 0; lost < 3; sent++) {
            assertThat(sent).isLessThan(200);
            proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
            EnqueueRig.Reply first = rig.keyed("lost-" + sent, both);
            lost += first.body().contains("did not report whether it was enqueued") ? 1 : 0;
            if (first.status() != 200) {
                EnqueueRig.assertRefused(first, 503, "end it again");
            }
            EnqueueRig.Reply again = again("lost-" + sent, both);
            assertThat(again.jids()).hasSize(2);
            assertThat(again("lost-" + sent, both).jids()).isEqualTo(again.jids());
        }
        assertThat(EnqueueRig.queue(redis, "default")).hasSize(sent);
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo((long) sent);
    }

    /// As a program does that wants to be sure.
    private EnqueueRig.Reply again(String key, String body) {
        for (int i = 0; i < 10; i++) {
            EnqueueRig.Reply reply = rig.keyed(key, body);
            if (reply.status() == 200) {
                return reply;
            }
        }
        throw new AssertionError("ten times in vain");
    }

    @Test
    void anotherServerHonoursTheKeyOfOneThatDied() {
        EnqueueRig.Reply first = rig.keyed("k", ONE);
        rig.close();
        rig = new EnqueueRig(SERVER.address());

        EnqueueRig.Reply again = rig.keyed("k", ONE);
        assertThat(again.jids()).isEqualTo(first.jids());
        assertThat(again.body()).contains("\"replayed\":true");
        assertThat(EnqueueRig.queue(redis, "default")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"queues", "schedule", "queue:default", "receipt"})
    void aKeyOfAWrongTypeChangesNothing(String key) {
        rig.keyed("k", ONE);
        String receipt = EnqueueRig.strings(redis, "KEYS", "mw:*").getFirst();
        redis.call("FLUSHALL");
        redis.call("HSET", key.equals("receipt") ? receipt : key, "odd", "1");
        Map<String, String> before = FullRedis.dump(redis);

        EnqueueRig.Reply reply =
                rig.keyed("k", "[" + ONE + ",{\"class\":\"L\",\"at\":" + (NOW + 9) + "}]");
        EnqueueRig.assertRefused(reply, 502, "nothing was enqueued");
        assertThat(reply.body()).contains("queue:default", "redis-cli TYPE", "WRONGTYPE");
        assertThat(FullRedis.dump(redis)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"sadd", "lpush", "zadd", "get", "set", "llen", "sismember", "evalsha"})
    void aCommandThatTheUserMayNotCallChangesNothing(String command) {
        RedisAddress user = GuideAcl.makeOperator(redis, SERVER.address());
        redis.call("ACL", "SETUSER", "mawashi", "-" + command);
        try (EnqueueRig limited = new EnqueueRig(user)) {
            Map<String, String> before = FullRedis.dump(redis);
            EnqueueRig.Reply reply =
                    limited.keyed("k", "[" + ONE + ",{\"class\":\"L\",\"at\":" + (NOW + 9) + "}]");
            EnqueueRig.assertRefused(reply, 502, "nothing was enqueued");
            assertThat(reply.body())
                    .containsAnyOf("permissions", "can't run this command")
                    .contains("give its user the ACL of the guide");
            assertThat(FullRedis.dump(redis)).isEqualTo(before);
        }
    }

    @Test
    void aFullRedisIsToldAndHasNothingOfIt() {
        redis.call("CONFIG", "SET", "maxmemory", "1");
        EnqueueRig.assertRefused(rig.keyed("k", ONE), 502, "nothing was enqueued");
        redis.call("CONFIG", "SET", "maxmemory", "0");
        assertThat(redis.call("DBSIZE")).isEqualTo(0L);
        assertThat(rig.keyed("k", ONE).body()).contains("\"replayed\":false");
    }

    @Test
    void withoutRedisNothingIsEnqueuedAndThatIsSaid() {
        proxy.shut();
        EnqueueRig.assertRefused(rig.post(ONE), 503, "nothing was enqueued");
        proxy.admit();
        assertThat(rig.post(ONE).status()).isEqualTo(200);
    }

    @Test
    void aTraceGetsEachRequestsJobs() {
        List<List<NewJob>> traced = new ArrayList<>();
        try (EnqueueRig tracing =
                new EnqueueRig(
                        SERVER.address(),
                        sink ->
                                jobs -> {
                                    traced.add(jobs);
                                    sink.enqueue(jobs);
                                })) {
            EnqueueRig.Reply reply = tracing.post("[" + ONE + "," + ONE + "]");
            assertThat(reply.status()).isEqualTo(200);
        }
        assertThat(traced).hasSize(1);
        assertThat(traced.getFirst()).hasSize(2);
        assertThat(EnqueueRig.queue(redis, "default")).hasSize(2);
    }

    @Test
    void theEnqueuerEnqueuesAndDoesNothingElse() {
        String enqueuer = EnqueueRig.ENQUEUER;
        List<String> json = List.of("Content-Type", "application/json");
        byte[] one = ONE.getBytes(UTF_8);
        for (String secret : List.of(enqueuer, Poster.OPERATOR, Poster.ADMIN)) {
            assertThat(rig.post(secret, "/api/v1/jobs", one, json).status()).isEqualTo(200);
        }
        Map<String, String> before = FullRedis.dump(redis);
        EnqueueRig.assertRefused(
                rig.post(Poster.VIEWER, "/api/v1/jobs", one, json), 403, "the role ENQUEUER");
        EnqueueRig.assertRefused(
                rig.post("no-such-secret-at-all", "/api/v1/jobs", one, json), 401, "secret");
        for (String path : List.of("/", "/queues", "/api/v1/stats", "/metrics")) {
            assertThat(rig.get(enqueuer, path)).as(path).isEqualTo(403);
        }
        for (String path : List.of("queues/default/pause", "queues/default/clear", "dead/clear")) {
            assertThat(rig.post(enqueuer, "/api/v1/" + path, new byte[0], json).status())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(FullRedis.dump(redis)).isEqualTo(before);
    }
}
