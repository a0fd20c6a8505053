package dev.mawashi.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Recorded;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.figures.MetricsTable;
import dev.mawashi.job.Outcome;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.MetricsShape;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsFlushIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.parse("2025-02-04T08:04:59Z");
    private static final String MINUTE = "j|250204|8:04";
    private static final String ID = "box:42:abcdefabcdef";
    private static final Outcome FAILED = new Outcome.Failed("RuntimeError", "x", List.of());

    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisConnection redis = SERVER.connect();
    private final RecordedEvents events = new RecordedEvents();
    private final RunTallies tallies = new RunTallies(true);
    private final RunTally slot = Objects.requireNonNull(tallies.open("jruby"));
    private final RunTally otherSlot = Objects.requireNonNull(tallies.open("jruby"));
    private final MetricsFlush flush = flush(MetricsShape.EIGHT);

    private MetricsFlush flush(MetricsShape shape) {
        RedisBroker broker = new RedisBroker(proxy.address(), DeadLimits.DEFAULT);
        return new MetricsFlush(
                new MetricsTable(broker.connect("metrics"), shape, ID),
                tallies,
                InstantSource.fixed(NOW),
                new Outage(events, System::nanoTime));
    }

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
        flush.start();
        flush.stop(Duration.ofSeconds(20));
        redis.close();
        proxy.close();
    }

    private static void run(RunTally slot, String jobClass, Outcome outcome, long millis) {
        slot.count(jobClass, outcome, 0, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : "" + reply;
    }

    private @Nullable List<?> list(String... command) {
        return redis.call(command) instanceof List<?> list ? list : null;
    }

    private Map<String, String> hash(String key) {
        Map<String, String> fields = new TreeMap<>();
        List<?> values = Objects.requireNonNull(list("HGETALL", key));
        for (int i = 0; i < values.size(); i += 2) {
            fields.put(text(values.get(i)), text(values.get(i + 1)));
        }
        return fields;
    }

    private String histogram(String key) {
        List<String> command = new ArrayList<>(List.of("BITFIELD_RO", key));
        for (int bucket = 0; bucket < ClassTally.BUCKETS; bucket++) {
            command.addAll(List.of("GET", "u16", "#" + bucket));
        }
        return Objects.requireNonNull(list(command.toArray(String[]::new))).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
    }

    /// All keys with their seconds to live and what they hold, as in the recorded files.
    private List<String> dump() {
        return Objects.requireNonNull(list("KEYS", "*")).stream()
                .map(MetricsFlushIT::text)
                .filter(key -> !key.startsWith("mw:"))
                .sorted()
                .map(key -> key + " " + ttl(key) + " " + content(key))
                .toList();
    }

    /// To the minute, since a busy machine may take seconds to look.
    private long ttl(String key) {
        long seconds = redis.call("TTL", key) instanceof Long ttl ? ttl : -1;
        return (seconds + 59) / 60 * 60;
    }

    private String content(String key) {
        if (text(redis.call("TYPE", key)).equals("string")) {
            return histogram(key);
        }
        return hash(key).entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7.3.9", "8.1.5"})
    void keysAndCountsAreThoseOfTheAppsSidekiq(String version) {
        MetricsFlush flushed = flush(MetricsShape.of(version).orElseThrow());
        long[] okMillis = {0, 0, 19, 20, 29, 44, 45, 1_099, 1_100, 334_999, 335_000, 900_000};
        for (int i = 0; i < okMillis.length; i++) {
            run(i % 2 == 0 ? slot : otherSlot, "OkJob", Outcome.SUCCEEDED, okMillis[i]);
        }
        run(slot, "Shop::MailJob", Outcome.SUCCEEDED, 64);
        run(slot, "OkJob", FAILED, 5_000);
        run(otherSlot, "OkJob", Outcome.INTERRUPTED, 5_000);
        run(otherSlot, "BadJob", FAILED, 1);
        slot.count(null, new Outcome.Malformed("no JSON"), 0, 1);

        flushed.flush();

        assertThat(dump()).isEqualTo(Recorded.lines("metrics-" + version + ".txt"));
    }

    @Test
    void onlyWhatCameSinceIsAdded() {
        run(slot, "OkJob", Outcome.SUCCEEDED, 3);
        flush.flush();
        flush.flush();
        run(slot, "OkJob", FAILED, 3);
        flush.flush();

        assertThat(hash(MINUTE)).isEqualTo(Map.of("OkJob|p", "2", "OkJob|f", "1", "OkJob|ms", "3"));
    }

    @Test
    void aBatchWhoseReplyIsLostIsAddedOnce() {
        run(slot, "OkJob", Outcome.SUCCEEDED, 3);
        flush.flush();
        run(slot, "OkJob", Outcome.SUCCEEDED, 4);
        proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
        flush.flush();
        assertThat(proxy.firedCuts()).isOne();
        assertThat(hash(MINUTE)).containsEntry("OkJob|p", "2");

        flush.flush();

        assertThat(hash(MINUTE)).isEqualTo(Map.of("OkJob|p", "2", "OkJob|ms", "7"));
        assertThat(histogram("h|OkJob-4-8:4")).startsWith("2,0,");
        assertThat(events.of(Event.BrokerDown.class))
                .singleElement()
                .extracting(Event.BrokerDown::message)
                .asString()
                .startsWith("metrics are not written: ");
    }

    @Test
    void whatIsCountedWhileRedisIsAwayIsAddedWhenItIsBack() {
        run(slot, "OkJob", Outcome.SUCCEEDED, 3);
        proxy.shut();
        flush.flush();
        run(slot, "OkJob", Outcome.SUCCEEDED, 4);
        flush.flush();
        assertThat(hash(MINUTE)).isEmpty();

        proxy.admit();
        flush.flush();

        assertThat(hash(MINUTE)).isEqualTo(Map.of("OkJob|p", "2", "OkJob|ms", "7"));
    }

    @Test
    void aForeignKeyInTheWayHoldsUpNothing() {
        redis.call("LPUSH", MINUTE, "foreign");
        run(slot, "OkJob", Outcome.SUCCEEDED, 3);
        flush.flush();
        redis.call("DEL", MINUTE);
        run(slot, "OkJob", Outcome.SUCCEEDED, 4);
        flush.flush();

        assertThat(hash(MINUTE)).isEqualTo(Map.of("OkJob|p", "1", "OkJob|ms", "4"));
    }

    @Test
    void anyNumberOfClassesIsAdded() {
        IntStream.range(0, 250).forEach(i -> run(slot, "Job" + i, Outcome.SUCCEEDED, 1));
        flush.flush();

        assertThat(hash(MINUTE)).hasSize(500).containsEntry("Job249|p", "1");
    }

    @Test
    void aFullBucketStaysFull() {
        for (int i = 0; i < 70_000; i++) {
            run(slot, "OkJob", Outcome.SUCCEEDED, 1);
        }
        flush.flush();

        assertThat(hash(MINUTE)).containsEntry("OkJob|p", "70000");
        assertThat(histogram("h|OkJob-4-8:4")).startsWith("65535,0,");
    }

    @Test
    void runsAreCountedByRunnerBesideSidekiqsCounts() {
        RunTally forks = Objects.requireNonNull(tallies.open("fork"));
        run(slot, "OkJob", Outcome.SUCCEEDED, 3);
        run(otherSlot, "OkJob", FAILED, 4);
        run(forks, "OkJob", Outcome.SUCCEEDED, 5);
        run(forks, "Shop|Odd", FAILED, 6);
        flush.flush();
        run(forks, "OkJob", Outcome.SUCCEEDED, 7);
        flush.flush();

        Map<String, String> expected =
                Map.of("OkJob|jruby", "2", "OkJob|fork", "2", "Shop|Odd|fork", "1");
        assertThat(hash("mw:runs|250204|8:04")).isEqualTo(expected);
        assertThat(hash("mw:runs|250204|8:0")).isEqualTo(expected);
        assertThat(ttl("mw:runs|250204|8:04")).isEqualTo(ttl(MINUTE));
        assertThat(ttl("mw:runs|250204|8:0")).isEqualTo(ttl("j|250204|8:0"));
        assertThat(hash(MINUTE))
                .containsEntry("OkJob|p", "4")
                .containsEntry("OkJob|f", "1")
                .containsEntry("OkJob|ms", "15");
    }

    @Test
    void waitsOfClaimedJobsAreAddedToTheMinute() {
        // By another machine's clock, so that it has not waited however slow this one is.
        long later = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        byte[] justNow = ("{\"enqueued_at\":" + later + "}").getBytes(UTF_8);
        tallies.waits().claimed(justNow, 3);
        flush.flush();
        tallies.waits().claimed(justNow, 2);
        tallies.waits().claimed("{\"enqueued_at\":1.5}".getBytes(UTF_8), 1);
        flush.flush();
        flush.flush();

        assertThat(hash("mw:waits|250204|8:04")).isEqualTo(Map.of("0", "5", "25", "1"));
        assertThat(ttl("mw:waits|250204|8:04")).isBetween(28_700L, 28_800L);
    }

    @Test
    void theLastCountsAreAddedAtTheStop() {
        flush.start();
        run(slot, "OkJob", Outcome.SUCCEEDED, 3);
        flush.stop(Duration.ofSeconds(20));

        assertThat(hash(MINUTE)).isEqualTo(Map.of("OkJob|p", "1", "OkJob|ms", "3"));
        assertThat(redis.call("EXISTS", "mw:metrics:" + ID)).isEqualTo(0L);
    }
}
