package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.Recorded;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The record of a process with the same settings says all that a real Sidekiq's said, in the same
/// form, and so does the hash of what runs.
class RecordedProcessIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_789L);
    private static final String TIME = "\\d{10}\\.\\d+";

    /// What tells one process from another, and one moment.
    private static final Map<String, String> FORMS =
            Map.of("beat", TIME, "rss", "\\d+", "rtt_us", "\\d+", "busy", "1");

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    /// A recorded process: its fields by name, `work` or `workers` as one field more.
    private static SequencedMap<String, String> record(String version) {
        SequencedMap<String, String> fields = new LinkedHashMap<>();
        for (String line : Recorded.lines("process-" + version + ".txt")) {
            String[] words = line.split(" ", 2);
            fields.put(words[0], words[1]);
        }
        return fields;
    }

    private static Payload json(String text) {
        return Payload.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(RedisConnection redis, String... command) {
        return redis.call(command) instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : "";
    }

    private static ProcessName name(Payload info, String version) {
        String identity = Objects.requireNonNull(info.text("identity"));
        String[] parts = identity.split(":", -1);
        String tag = Objects.requireNonNull(info.text("tag"));
        return new ProcessName(parts[0], Long.parseLong(parts[1]), parts[2], tag, version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.4.1", "7.3.2", "7.3.9", "8.1.5"})
    void theRecordSaysWhatSidekiqsSaid(String version) {
        SequencedMap<String, String> recorded = record(version);
        Payload info = json(recorded.getOrDefault("info", ""));
        ProcessName name = name(info, version);
        String workField = recorded.containsKey("work") ? "work" : "workers";
        String[] slotAndWork = recorded.getOrDefault(workField, "").split(" ", 2);
        Payload work = json(slotAndWork[1]);
        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        queues.put("high", 2);
        queues.put("low", 1);

        RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
        GatedRunner runner = new GatedRunner();
        CapsuleSettings settings = new CapsuleSettings("default", 3, new QueueOrder(queues));
        try (RedisConnection redis = SERVER.connect();
                CapsuleRig rig = new CapsuleRig(broker, runner, settings)) {
            Heartbeat heartbeat = heartbeat(broker, name, rig.capsule());
            rig.start();
            rig.push("high", Objects.requireNonNull(work.text("payload")));
            runner.awaitRunning(1);
            heartbeat.start();
            Eventually.until(
                    "the record", () -> Objects.equals(redis.call("EXISTS", name.identity()), 1L));

            checkFields(redis, name.identity(), recorded, workField);
            checkInfo(json(text(redis, "HGET", name.identity(), "info")), info);
            checkWork(redis, name.identity() + ":" + workField, slotAndWork[1]);
            runner.open();
            heartbeat.stop(Duration.ofSeconds(20));
        }
    }

    private static Heartbeat heartbeat(RedisBroker broker, ProcessName name, Capsule capsule) {
        RecordedEvents events = new RecordedEvents();
        List<Capsule> capsules = List.of(capsule);
        return new Heartbeat(
                new ProcessTable(broker.connect("beat")),
                new Census(
                        name,
                        List.of(),
                        capsules,
                        NOW,
                        () -> "",
                        new OwnReading(capsules, List::of)),
                InstantSource.fixed(NOW),
                new Outage(events, System::nanoTime),
                _ -> {},
                _ -> {});
    }

    private static void checkFields(
            RedisConnection redis, String identity, Map<String, String> recorded, String work) {
        recorded.forEach((field, value) -> {
            if (!List.of("info", "ttl", work).contains(field)) {
                String ours = text(redis, "HGET", identity, field);
                String form = FORMS.getOrDefault(field, value);
                assertThat(ours).as(field).matches(form);
            }
        });
        checkTtl(redis, identity);
    }

    private static void checkInfo(Payload ours, Payload recorded) {
        for (String key :
                List.of(
                        "hostname",
                        "pid",
                        "tag",
                        "concurrency",
                        "queues",
                        "weights",
                        "capsules",
                        "identity",
                        "version",
                        "embedded")) {
            String value = recorded.raw(key);
            if (value != null) {
                assertThat(ours.raw(key)).as(key).isEqualTo(value);
            }
        }
        assertThat(recorded.raw("labels")).isEqualTo("[]");
        assertThat(ours.raw("labels")).isEqualTo("[\"mawashi\"]");
        assertThat(ours.raw("started_at")).matches(TIME);
    }

    private static void checkWork(RedisConnection redis, String key, String recorded) {
        String runAt = Objects.requireNonNull(json(recorded).raw("run_at"));
        assertThat(redis.call("HVALS", key))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .singleElement()
                .extracting(value -> new String((byte[]) value, StandardCharsets.UTF_8))
                .asString()
                .matches(
                        Pattern.quote(recorded)
                                .replace(runAt + "}", "\\E\\d{10},\"runner\":.*\\Q"));
        checkTtl(redis, key);
    }

    /// 60 seconds, some of which a busy machine may have taken since.
    private static void checkTtl(RedisConnection redis, String key) {
        long seconds = redis.call("TTL", key) instanceof Long ttl ? ttl : -1;
        assertThat(seconds).as("time to live of " + key).isBetween(40L, 60L);
    }
}
