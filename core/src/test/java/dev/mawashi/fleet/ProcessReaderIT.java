package dev.mawashi.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessReaderIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L);

    private final RedisConnection redis = SERVER.connect();
    private final ProcessReader reader = new ProcessReader(SERVER.connect());

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
        reader.close();
        redis.close();
    }

    @Test
    void aProcessOfSidekiq64IsRead() {
        redis.call("SADD", "processes", "vm:8760:f9", "gone:1:a");
        redis.call(
                "HSET",
                "vm:8760:f9",
                "info",
                """
                {"hostname":"vm","started_at":1795225600.5,"pid":8760,"tag":"shop",\
                "concurrency":3,"queues":["high","high","low"],"labels":["x"],\
                "identity":"vm:8760:f9"}\
                """,
                "busy",
                "2",
                "beat",
                "1795225697.5",
                "quiet",
                "true",
                "rss",
                "2048");

        List<ProcessRecord> processes = reader.processes();

        assertThat(processes).hasSize(1);
        ProcessRecord process = processes.getFirst();
        assertThat(process.identity()).isEqualTo("vm:8760:f9");
        assertThat(process.info().tag()).isEqualTo("shop");
        assertThat(process.info().queues()).containsExactly("high", "low");
        assertThat(process.info().labels()).containsExactly("x");
        assertThat(process.busy()).isEqualTo(2);
        assertThat(process.concurrency()).isEqualTo(3);
        assertThat(process.rssKib()).isEqualTo(2_048);
        assertThat(process.isQuiet()).isTrue();
        assertThat(process.info().version()).isEmpty();
        assertThat(process.sinceBeat(NOW)).hasMillis(2_500);
        assertThat(process.sinceStart(NOW)).hasMillis(99_500);
    }

    @Test
    void aHundredThousandGhostsAndKeysOfOthersAreNoProcesses() {
        redis.call(
                "EVAL",
                "for i = 1, 100000 do redis.call('SADD', KEYS[1], 'ghost:' .. i) end",
                "1",
                "processes");
        redis.call("SADD", "processes", "queue:low", "live", "");
        redis.call("RPUSH", "queue:low", "{}");
        redis.call("SET", "queue:low:work", "x");
        redis.call("HSET", "live", "info", "{}");
        redis.call("CONFIG", "RESETSTAT");

        assertThat(reader.processes()).extracting(ProcessRecord::identity).containsExactly("live");
        assertThat(reader.work()).isEmpty();
        // Otherwise a page or a command would wait for as many round trips as there are ghosts.
        assertThat(roundTrips()).isLessThan(5_000);
    }

    private long roundTrips() {
        Object stats = redis.call("INFO", "stats");
        Matcher reads =
                Pattern.compile("total_reads_processed:(\\d+)")
                        .matcher(new String((byte[]) Objects.requireNonNull(stats), UTF_8));
        return reads.find() ? Long.parseLong(reads.group(1)) : -1;
    }

    @Test
    void laterVersionsKeepTheirConcurrencyBesideTheRecord() {
        redis.call("SADD", "processes", "a", "odd", "odder");
        redis.call(
                "HSET",
                "a",
                "info",
                "{\"version\":\"8.1.2\",\"embedded\":true,\"queues\":7}",
                "concurrency",
                "10",
                "beat",
                "x",
                "busy",
                "x");
        redis.call("HSET", "odd", "info", "no json");
        redis.call("HSET", "odder", "beat", "1");

        assertThat(reader.processes()).hasSize(1);
        ProcessRecord process = reader.processes().getFirst();
        assertThat(process.concurrency()).isEqualTo(10);
        assertThat(process.info().version()).isEqualTo("8.1.2");
        assertThat(process.info().isEmbedded()).isTrue();
        assertThat(process.info().queues()).isEmpty();
        assertThat(process.busy()).isZero();
    }

    @Test
    void whatOnlyOursTellIsReadAndAbsentForSidekiqs() {
        redis.call("SADD", "processes", "ours", "theirs", "odd");
        String own =
                """
                {"capsules":[{"name":"default","runner":"mri","slots":10,"busy":4}],"children":2,\
                "cpu_ms":1500,"gc_ms":20}\
                """;
        redis.call("HSET", "ours", "info", "{}", "mawashi", own);
        redis.call("HSET", "theirs", "info", "{}");
        redis.call("HSET", "odd", "info", "{}", "mawashi", "no json");
        redis.call(
                "HSET",
                "ours:work",
                "1",
                "{\"queue\":\"q\",\"payload\":\"{}\",\"run_at\":20,\"runner\":\"mri\",\"pid\":4711}",
                "2",
                "{\"queue\":\"q\",\"payload\":\"{}\",\"run_at\":21,\"runner\":\"jruby\","
                        + "\"thread\":\"mawashi-slot-1\"}",
                "3",
                "{\"queue\":\"q\",\"payload\":\"{}\",\"run_at\":22}");

        ProcessRecord ours = reader.process("ours").orElseThrow();
        assertThat(ours.isMawashi()).isTrue();
        assertThat(ours.own().capsules()).containsExactly(new CapsuleView("default", "mri", 10, 4));
        assertThat(ours.own().children()).isEqualTo(2);
        assertThat(ours.own().cpu()).hasMillis(1_500);
        assertThat(ours.own().collecting()).hasMillis(20);
        for (String other : List.of("theirs", "odd")) {
            ProcessRecord process = reader.process(other).orElseThrow();
            assertThat(process.isMawashi()).isFalse();
            assertThat(process.own().capsules()).isEmpty();
            assertThat(process.own().cpu()).isZero();
        }
        assertThat(reader.work("ours"))
                .extracting(one -> one.entry().place().words())
                .containsExactly("mri child 4711", "jruby mawashi-slot-1", "");
        assertThat(reader.process("ours:work")).isEmpty();
        assertThat(reader.work("none")).isEmpty();
    }

    @Test
    void theLeaseOfEachProcessIsReadByRedissClock() {
        redis.call("SADD", "processes", "a", "b", "c", "theirs");
        String info = "{\"queues\":[\"low\",\"high\"]}";
        for (String id : List.of("a", "b", "c")) {
            redis.call("HSET", id, "info", info, "mawashi", "{}");
        }
        redis.call("HSET", "theirs", "info", info);
        List<?> time = (List<?>) Objects.requireNonNull(redis.call("TIME"));
        long now = Long.parseLong(new String((byte[]) time.getFirst(), UTF_8)) * 1_000;
        redis.call(
                "ZADD",
                "mw:{queue:low}:leases",
                "" + (now + 25_000),
                "a#1",
                "" + (now - 60_000),
                "a#0",
                "" + (now - 5_000),
                "b#0");

        Map<String, Duration> leases = new LeaseReader(redis).of(reader.processes());

        assertThat(leases).containsOnlyKeys("a", "b");
        assertThat(leases.get("a")).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(25));
        assertThat(leases.get("b")).isNegative();
        redis.call("DEL", "mw:{queue:low}:leases");
        redis.call("SET", "mw:{queue:low}:leases", "x");
        assertThat(new LeaseReader(redis).of(reader.processes())).isEmpty();
        assertThat(new LeaseReader(redis).of(List.of())).isEmpty();
    }

    @Test
    void whatRunsIsReadUnderBothNamesAndListedLongestFirst() {
        redis.call("SADD", "processes", "new", "old");
        redis.call(
                "HSET",
                "new:work",
                "t1",
                """
                {"queue":"q","payload":"{\\"class\\":\\"A\\",\\"jid\\":\\"1\\"}","run_at":20}\
                """);
        redis.call("HSET", "new:workers", "t1", "{}");
        redis.call(
                "HSET",
                "old:workers",
                "t2",
                "{\"queue\":\"q\",\"payload\":{\"class\":\"B\"},\"run_at\":4000000000}",
                "t3",
                "no json");

        List<WorkView> work = reader.work();

        assertThat(work).extracting(one -> one.entry().slot()).containsExactly("t3", "t1", "t2");
        assertThat(work).extracting(one -> one.job().jobClass()).containsExactly("", "A", "B");
        assertThat(work.get(0).job().problem()).isNotNull();
        assertThat(work.get(1).entry().since()).contains(Instant.ofEpochSecond(20));
        assertThat(work.get(2).entry().since()).contains(Instant.ofEpochSecond(4_000_000_000L));
    }
}
