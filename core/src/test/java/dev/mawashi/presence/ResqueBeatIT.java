package dev.mawashi.presence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.Recorded;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.fleet.ResqueWorkers;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The records among Resque's workers, compared with what a real one wrote.
class ResqueBeatIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final ResqueKeys KEYS = ResqueKeys.DEFAULT;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String ID = "mawashi@vm:77:high,low";
    private static final QueuePatterns QUEUES = new QueuePatterns("high,low");
    private static final ProcessName NAME = new ProcessName("vm", 77, "nonce", "tag", "8.1.0");

    private final RedisBroker broker =
            new RedisBroker(SERVER.address(), DeadLimits.DEFAULT, KEYS.layout());
    private final GatedRunner runner = new GatedRunner();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    private CapsuleRig rig(int slots) {
        return new CapsuleRig(
                broker,
                runner,
                new CapsuleSettings("resque", slots, QueueOrder.strict(List.of("high", "low"))));
    }

    private ResqueBeat beat(CapsuleRig rig, int slots) {
        return new ResqueBeat(
                new ResqueWorkers(SERVER.connect(), KEYS),
                new ResqueWorker(NAME, QUEUES, slots, Instant.now()),
                rig.capsule(),
                ZoneId.of("Europe/Berlin"),
                new Outage(rig.events(), System::nanoTime));
    }

    private static Object call(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return Objects.requireNonNullElse(redis.call(command), "nil");
        }
    }

    private static String text(String... command) {
        return call(command) instanceof byte[] bytes ? new String(bytes, UTF_8) : "nil";
    }

    private static List<String> texts(String... command) {
        List<String> all = new ArrayList<>();
        ((List<?>) call(command)).forEach(value -> all.add(new String((byte[]) value, UTF_8)));
        return all;
    }

    private static String shape(String line) {
        return line.replace("mawashi@vm", "vm").replaceAll("\\d", "9");
    }

    @Test
    void aRunningJobStandsInItsRecordAsResqueWritesIt() {
        List<String> recorded = Recorded.lines("resque-worker-3.0.0.txt");
        CapsuleRig rig = rig(1);
        ResqueBeat beat = beat(rig, 1);
        rig.start();
        rig.push("high", "{\"class\":\"TroubleJob\",\"args\":[\"w\u00e9\"]}");
        runner.awaitRunning(1);
        beat.start();
        Eventually.until("it is told", () -> !text("GET", KEYS.worker(ID)).equals("nil"));

        String id = rig.capsule().running().getFirst().lease().runId();
        String run = ",\"mawashi_run\":\"" + id + "\"";
        assertThat(text("GET", KEYS.worker(ID))).endsWith(run + "}");
        String asResque = text("GET", KEYS.worker(ID)).replace(run, "");
        assertThat(shape("resque:worker:" + ID + " string " + asResque))
                .isEqualTo(shape(line(recorded, "resque:worker:vm:77:high,low ")));
        assertThat(shape(KEYS.workerStarted(ID) + " string " + text("GET", KEYS.workerStarted(ID))))
                .isEqualTo(shape(line(recorded, "resque:worker:vm:77:high,low:started ")));
        String beaten = text("HGET", KEYS.heartbeats(), ID);
        assertThat(shape("resque:workers:heartbeat hash {\"" + ID + "\"=>\"" + beaten + "\"}"))
                .isEqualTo(shape(line(recorded, "resque:workers:heartbeat ")));
        assertThat(beaten).endsWith("+01:00");
        assertThat(texts("SMEMBERS", KEYS.workers())).containsExactly(ID);

        runner.open();
        rig.awaitEnded(1);
        beat.stop(LONG);
        assertThat(text("GET", KEYS.statProcessed())).isEqualTo("1");
        assertThat(texts("KEYS", "resque:*worker*")).isEmpty();
        assertThat(texts("KEYS", "resque:stat*")).containsExactly(KEYS.statProcessed());
        assertThat(rig.events().of(Event.Defect.class)).isEmpty();
        rig.close();
    }

    @Test
    void whatEndedIsCountedWhenNothingRunsAnyMore() {
        runner.open();
        CapsuleRig rig = rig(1);
        rig.start();
        ResqueBeat beat = beat(rig, 1).pausing(Duration.ofDays(1));
        beat.start();
        Eventually.until("it has beaten", () -> !text("HGET", KEYS.heartbeats(), ID).equals("nil"));

        rig.push("high", "{\"class\":\"A\"}", "{\"class\":\"B\"}");

        Eventually.until("both count", () -> text("GET", KEYS.statProcessed()).equals("2"));
        beat.stop(LONG);
        rig.close();
        assertThat(text("GET", KEYS.statProcessed())).isEqualTo("2");
    }

    /// Until it has beaten once more, and then again for sure behind that.
    private static void awaitBeats() {
        for (int i = 0; i < 2; i++) {
            call("HDEL", KEYS.heartbeats(), ID);
            Eventually.until(
                    "it has beaten", () -> !text("HGET", KEYS.heartbeats(), ID).equals("nil"));
        }
    }

    private void countTwoWhile(String key, String counter) {
        call("SET", key, "many");
        runner.open();
        CapsuleRig rig = rig(1);
        rig.start();
        rig.push("high", "{\"class\":\"A\"}", "{\"class\":\"B\"}");
        rig.awaitEnded(2);
        ResqueBeat beat = beat(rig, 1).pausing(Duration.ofMillis(5));
        beat.start();
        awaitBeats();

        assertThat(text("GET", counter)).isEqualTo("2");
        assertThat(texts("KEYS", KEYS.workerStarted(ID))).hasSize(1);
        beat.stop(LONG);
        rig.close();
        assertThat(rig.events().of(Event.Defect.class)).isEmpty();
        assertThat(rig.events().of(Event.BrokerDown.class))
                .first()
                .extracting(Event.BrokerDown::message)
                .asString()
                .startsWith("Resque's counters or workers are not written: ");
    }

    @Test
    void aCounterThatIsNoNumberIsToldAndTheOtherCountsOnce() {
        countTwoWhile(KEYS.statProcessed(), KEYS.statProcessed(ID));
    }

    @Test
    void aKeyOfAWrongTypeIsToldAndRunsCountOnce() {
        countTwoWhile(KEYS.workers(), KEYS.statProcessed());
    }

    private static String line(List<String> lines, String start) {
        return lines.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }

    @Test
    void eachJobThatRunsHasAWorkerOfItsOwnAndKeepsIt() {
        CapsuleRig rig = rig(3);
        rig.start();
        rig.push("high", "{\"class\":\"A\"}", "{\"class\":\"B\"}");
        runner.awaitRunning(2);
        ResqueWorker worker = new ResqueWorker(NAME, QUEUES, 3, Instant.EPOCH);

        var first = worker.beat(0, rig.capsule().running(), Instant.now(), ZoneId.of("UTC"));
        var second =
                worker.beat(0, rig.capsule().running().reversed(), Instant.now(), ZoneId.of("UTC"));
        assertThat(first.workers().keySet())
                .containsExactly(ID, "mawashi@vm:77-2:high,low", "mawashi@vm:77-3:high,low");
        assertThat(first.workers().values().stream().filter(text -> !text.isEmpty())).hasSize(2);
        assertThat(classes(second)).isEqualTo(classes(first));

        rig.push("low", "{\"class\":\"C\"}");

        runner.awaitRunning(3);
        var third = worker.beat(0, rig.capsule().running(), Instant.now(), ZoneId.of("UTC"));
        assertThat(new TreeSet<>(classes(third)).size()).isEqualTo(3);
        assertThat(classes(third)).startsWith(classes(first).get(0), classes(first).get(1));
        runner.open();
        rig.close();
    }

    private static List<String> classes(dev.mawashi.fleet.ResqueWorkers.Beat beat) {
        return beat.workers().values().stream()
                .map(text -> text.replaceAll(".*\"class\":\"(\\w)\".*", "$1"))
                .toList();
    }

    @Test
    void recordsOfOursThatFellSilentAreRemovedAndOthersAreLeft() {
        String silent = Instant.now().minusSeconds(90).toString().replaceAll("\\.\\d+Z", "+00:00");
        String fresh = Instant.now().toString().replaceAll("\\.\\d+Z", "+00:00");
        for (String id : List.of("mawashi@other:1:high", "vm:5:high", "mawashi@alive:1:high")) {
            call("SADD", KEYS.workers(), id);
            call("SET", KEYS.worker(id), "{}");
            call("HSET", KEYS.heartbeats(), id, id.contains("alive") ? fresh : silent);
        }
        CapsuleRig rig = rig(1);
        ResqueBeat beat = beat(rig, 1);
        beat.start();
        Eventually.until(
                "it is removed",
                () -> !texts("SMEMBERS", KEYS.workers()).contains("mawashi@other:1:high"));

        assertThat(texts("SMEMBERS", KEYS.workers()))
                .containsExactlyInAnyOrder("vm:5:high", "mawashi@alive:1:high", ID);
        Eventually.until(
                "all of it is gone",
                () -> call("EXISTS", KEYS.worker("mawashi@other:1:high")).equals(0L));
        assertThat(call("LLEN", KEYS.failed())).isEqualTo(0L);
        beat.stop(LONG);
        assertThat(rig.events().of(Event.Defect.class)).isEmpty();
        rig.close();
    }
}
