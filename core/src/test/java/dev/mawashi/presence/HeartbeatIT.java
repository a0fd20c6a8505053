package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeartbeatIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_789L);
    private static final String ID = "box:42:abcdefabcdef";

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RedisConnection redis = SERVER.connect();
    private final RecordedEvents events = new RecordedEvents();
    private final GatedRunner runner = new GatedRunner();
    private final CapsuleRig rig =
            new CapsuleRig(
                    broker,
                    runner,
                    new CapsuleSettings("default", 3, QueueOrder.strict(List.of("low"))));
    private final List<String> signals = Collections.synchronizedList(new ArrayList<>());
    private final List<Boolean> news = Collections.synchronizedList(new ArrayList<>());
    private final Heartbeat heartbeat = heartbeat(rig.capsule());

    private Heartbeat heartbeat(Capsule capsule) {
        ProcessName name = new ProcessName("box", 42, "abcdefabcdef", "app", "6.4.1");
        return new Heartbeat(
                new ProcessTable(broker.connect("beat")),
                new Census(
                        name,
                        List.of("eu"),
                        List.of(capsule),
                        NOW,
                        () -> "no child process",
                        new OwnReading(List.of(capsule), List::of)),
                InstantSource.fixed(NOW),
                new Outage(events, System::nanoTime),
                this::onSignal,
                news::add);
    }

    private void onSignal(String signal) {
        signals.add(signal);
        if (signal.equals("TTIN")) {
            throw new IllegalStateException("cannot dump");
        }
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
    void stop() {
        runner.open();
        rig.close();
        heartbeat.stop(LONG);
        redis.close();
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    private Map<String, String> hash(String key) {
        Map<String, String> fields = new TreeMap<>();
        if (redis.call("HGETALL", key) instanceof List<?> values) {
            for (int i = 0; i < values.size(); i += 2) {
                fields.put(text(values.get(i)), text(values.get(i + 1)));
            }
        }
        return fields;
    }

    private long secondsToLive(String key) {
        return redis.call("TTL", key) instanceof Long seconds ? seconds : 0;
    }

    private void awaitRecord() {
        Eventually.until("the record", () -> Long.valueOf(1).equals(redis.call("EXISTS", ID)));
    }

    @Test
    void theRecordHasEveryFieldThatSidekiq6To8Reads() {
        heartbeat.start();
        awaitRecord();

        Map<String, String> record = hash(ID);
        assertThat(record.keySet())
                .containsExactly(
                        "beat",
                        "busy",
                        "concurrency",
                        "info",
                        "mawashi",
                        "quiet",
                        "rss",
                        "rtt_us",
                        "trouble");
        assertThat(record)
                .containsEntry("beat", "1795225700.123456")
                .containsEntry("busy", "0")
                .containsEntry("concurrency", "3")
                .containsEntry("quiet", "false")
                .containsEntry("trouble", "no child process");
        assertThat(Long.parseLong(record.getOrDefault("rss", ""))).isPositive();
        assertThat(Long.parseLong(record.getOrDefault("rtt_us", ""))).isPositive();
        assertThat(record)
                .containsEntry(
                        "info",
                        "{\"hostname\":\"box\",\"started_at\":1795225700.123456,\"pid\":42,\"tag\":\"app\",\"concurrency\":3,\"queues\":[\"low\"],\"weights\":[{\"low\":0}],\"capsules\":{\"default\":{\"concurrency\":3,\"mode\":\"strict\",\"weights\":{\"low\":0}}},\"labels\":[\"mawashi\",\"eu\"],\"identity\":\"box:42:abcdefabcdef\",\"version\":\"6.4.1\",\"embedded\":false}");
        assertThat(redis.call("SISMEMBER", "processes", ID)).isEqualTo(1L);
        assertThat(secondsToLive(ID)).isBetween(31L, 60L);
    }

    @Test
    void whatRunsStandsUnderBothNames() {
        rig.start();
        rig.push("low", "{\"jid\":\"1\",\"class\":\"\u00e9\"}");
        runner.awaitRunning(1);

        heartbeat.start();
        awaitRecord();

        assertThat(hash(ID)).containsEntry("busy", "1");
        Map<String, String> work = hash(ID + ":work");
        assertThat(work).hasSize(1).isEqualTo(hash(ID + ":workers"));
        assertThat(work.values().iterator().next())
                .startsWith(
                        "{\"queue\":\"low\",\"payload\":\"{\\\"jid\\\":\\\"1\\\",\\\"class\\\":\\\"\u00e9\\\"}\",\"run_at\":17952");
        assertThat(secondsToLive(ID + ":work")).isBetween(31L, 60L);
    }

    @Test
    void ofALargePayloadABeatSaysWhatThePageShowsButItsArguments() {
        rig.start();
        String args = "[\"" + "x".repeat(1 << 20) + "\"]";
        rig.push(
                "low",
                "{\"class\":\"Wrapper\",\"wrapped\":\"Big\",\"jid\":\"1\",\"created_at\":5.5,\"args\":"
                        + args
                        + "}",
                "{\"jid\":\"2\",\"args\":[3]}",
                "no job " + args);
        runner.awaitRunning(3);

        heartbeat.start();
        awaitRecord();

        Map<String, String> work = hash(ID + ":work");
        assertThat(work).hasSize(3).isEqualTo(hash(ID + ":workers"));
        assertThat(work.values())
                .allMatch(one -> one.length() < 1_000)
                .anyMatch(one -> one.contains("{\\\"jid\\\":\\\"2\\\",\\\"args\\\":[3]}"))
                .anyMatch(one ->
                        one.contains(
                                "{\\\"class\\\":\\\"Big\\\",\\\"jid\\\":\\\"1\\\",\\\"created_at\\\":5.5,"
                                        + "\\\"args\\\":[\\\"1048"));
    }

    @Test
    void aDefectDoesNotEndTheBeats() {
        redis.call("LPUSH", ID + "-signals", "TTIN", "TSTP");

        heartbeat.start();
        Eventually.until("it beats again", () -> signals.size() == 2);

        assertThat(signals).containsExactly("TTIN", "TSTP");
        assertThat(events.of(Event.Defect.class))
                .extracting(Event.Defect::where)
                .containsExactly("heartbeat");
    }

    @Test
    void aSignalIsTakenAndPassedOn() {
        redis.call("LPUSH", ID + "-signals", "TSTP");

        heartbeat.start();

        Eventually.until("the signal", () -> signals.equals(List.of("TSTP")));
        // It is passed on first.
        Eventually.until("the beat", () -> news.equals(List.of(true)));
        assertThat(redis.call("LLEN", ID + "-signals")).isEqualTo(0L);
    }

    @Test
    void countersAreAddedOnceAndTheRecordGoesAtStop() {
        runner.open();
        rig.start();
        rig.push("low", "{\"jid\":\"1\"}", "{\"jid\":\"2\"}", "{\"jid\":\"fail\"}");
        heartbeat.start();
        awaitRecord();
        rig.awaitEnded(3);

        heartbeat.stop(LONG);
        heartbeat.stop(LONG);

        assertThat(text(redis.call("GET", "stat:processed"))).isEqualTo("3");
        assertThat(text(redis.call("GET", "stat:failed"))).isEqualTo("1");
        assertThat(text(redis.call("GET", "stat:processed:2026-11-21"))).isEqualTo("3");
        assertThat(text(redis.call("GET", "stat:failed:2026-11-21"))).isEqualTo("1");
        long years = Duration.ofDays(5 * 365).toSeconds();
        assertThat(secondsToLive("stat:failed:2026-11-21")).isBetween(years - 60, years);
        assertThat(redis.call("SISMEMBER", "processes", ID)).isEqualTo(0L);
        assertThat(redis.call("EXISTS", ID, ID + ":work", ID + ":workers")).isEqualTo(0L);
    }

    @Test
    void whatEndedIsCountedWhenNothingRunsAnyMore() {
        Heartbeat seldom = heartbeat(rig.capsule()).pausing(Duration.ofDays(1));
        rig.start();
        seldom.start();
        awaitRecord();

        rig.push("low", "{\"jid\":\"1\"}", "{\"jid\":\"fail\"}");
        runner.awaitRunning(2);
        runner.open();

        awaitCounter("stat:processed", "2");
        awaitCounter("stat:failed", "1");
        rig.push("low", "{\"jid\":\"2\"}");
        awaitCounter("stat:processed", "3");
        assertThat(news).containsExactly(true);
        seldom.stop(LONG);
        assertThat(text(redis.call("GET", "stat:processed"))).isEqualTo("3");
        assertThat(text(redis.call("GET", "stat:failed"))).isEqualTo("1");
    }

    private void awaitCounter(String key, String value) {
        Eventually.until(key, () -> text(redis.call("GET", key)).equals(value));
    }

    @Test
    void aCounterOfAWrongTypeHoldsUpNoBeatAndIsNoReasonToCountTheOtherTwice() {
        redis.call("SET", "stat:failed", "many");
        runner.open();
        rig.start();
        rig.push("low", "{\"jid\":\"1\"}", "{\"jid\":\"fail\"}");
        rig.awaitEnded(2);

        heartbeat.start();
        awaitRecord();
        heartbeat.stop(LONG);

        assertThat(text(redis.call("GET", "stat:processed"))).isEqualTo("2");
        assertThat(redis.call("EXISTS", ID)).isEqualTo(0L);
        assertThat(events.of(Event.BrokerDown.class))
                .extracting(Event.BrokerDown::message)
                .singleElement()
                .asString()
                .startsWith("runs are not counted: ERR value is not an integer");
    }

    @Test
    void whereNothingRanNothingIsCountedAndNothingIsLeft() {
        heartbeat.start();
        awaitRecord();

        heartbeat.stop(LONG);

        assertThat((List<?>) redis.call("KEYS", "*"))
                .extracting(HeartbeatIT::text)
                .containsExactly("process_cleanup");
    }
}
