package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecoveryIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration SWEEP = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LAPSED = Duration.ofSeconds(-1);

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RedisConnection redis = SERVER.connect();
    private final RecordedEvents events = new RecordedEvents();
    private final List<String> suspected = new CopyOnWriteArrayList<>();
    private final Epoch epoch = new Epoch("me");
    private final List<Recovery> recoveries = new ArrayList<>();

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
        recoveries.forEach(recovery -> recovery.stop(LONG));
        redis.close();
    }

    private void start(RedisAddress address) {
        start(address, LONG);
    }

    private void start(RedisAddress address, Duration length) {
        LeaseSettings settings = new LeaseSettings(length, SWEEP);
        Leasing leasing = new RedisBroker(address, DeadLimits.DEFAULT).leasing();
        Outage outage = new Outage(events, System::nanoTime);
        Recovery recovery = new Recovery(leasing, epoch, settings, suspected::add, events, outage);
        recoveries.add(recovery);
        recovery.start();
    }

    /// An owner that claimed jobs 0 to `count` of a queue and died.
    private void die(String owner, String queue, int count) {
        die(broker, owner, queue, payloads(count));
    }

    private static List<byte[]> payloads(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ("" + i).getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /// An owner that pushed these, claimed all that was there and died.
    private static void die(RedisBroker broker, String owner, String queue, List<byte[]> payloads) {
        try (Enqueuing enqueuing = broker.enqueuing();
                Claiming claiming = broker.claiming();
                Leasing leasing = broker.leasing()) {
            leasing.open(owner, List.of(queue), LONG);
            if (!payloads.isEmpty()) {
                enqueuing.push(queue, payloads);
                enqueuing.flush();
            }
            assertThat(claiming.claim(List.of(queue), owner, 999, 1 << 20).leases()).isNotEmpty();
            leasing.open(owner, List.of(queue), LAPSED);
        }
    }

    private long length(String queue) {
        return length(SERVER, queue);
    }

    private static long length(RedisServerForTests server, String queue) {
        return call(server, "LLEN", "queue:" + queue) instanceof Long length ? length : 0;
    }

    @Test
    void aDeadOwnersJobsAreBackOnceHoweverManySweep() {
        die("dead#0", "low", 500);
        for (int i = 0; i < 3; i++) {
            start(SERVER.address());
        }

        Eventually.until("all are back", () -> length("low") >= 500);

        assertThat(redis.call("LINDEX", "queue:low", "-1")).isEqualTo(new byte[] {'0'});
        Eventually.until("it is told", () -> !events.of(Event.JobsRecovered.class).isEmpty());
        recoveries.forEach(recovery -> recovery.stop(LONG));
        assertThat(length("low")).isEqualTo(500);
        // They share the work, and each tells of its part.
        assertThat(events.of(Event.JobsRecovered.class))
                .allMatch(told -> told.owners().equals(List.of("dead#0")))
                .extracting(Event.JobsRecovered::count)
                .satisfies(counts ->
                        assertThat(counts.stream().mapToInt(Integer::intValue).sum())
                                .isEqualTo(500));
    }

    @Test
    void afterAnOutageThatMadeLeasesLapseTheirOwnersGetTimeToRenewThem() {
        die("slow#0", "low", 3);
        epoch.leasedUntil(System.nanoTime() - LONG.toNanos());
        start(SERVER.address());
        try (Leasing leasing = broker.leasing()) {
            epoch.leasedUntil(System.nanoTime() + LONG.toNanos());
            die("dead#0", "high", 1);
            assertThat(leasing.renew("slow#0", List.of("low"), LONG).isFenced()).isFalse();
        }

        Eventually.until("the dead one is recovered", () -> length("high") == 1);

        assertThat(length("low")).isZero();
    }

    @Test
    void afterARestartOfRedisFromAnOldSnapshotOwnersGetTimeToRenewTheirLeases() {
        try (RedisServerForTests server = new RedisServerForTests()) {
            RedisBroker there = new RedisBroker(server.address(), DeadLimits.DEFAULT);
            die(there, "live#0", "low", payloads(3));
            call(server, "SAVE");
            try (Leasing leasing = there.leasing()) {
                leasing.open("live#0", List.of("low"), LONG);
            }
            die(there, "dead#0", "high", payloads(1));
            start(server.address(), Duration.ofHours(1));
            Eventually.until("it recovers", () -> length(server, "high") == 1);

            server.crashAndStart();
            Eventually.until("it looks again", () -> hasLooked(server));

            try (Leasing leasing = there.leasing()) {
                assertThat(leasing.renew("live#0", List.of("low"), LONG).isFenced()).isFalse();
            }
            assertThat(length(server, "low")).isZero();
        }
    }

    @Test
    void aWhileAfterARestartOfRedisTheDeadAreRecoveredAgain() {
        try (RedisServerForTests server = new RedisServerForTests()) {
            RedisBroker there = new RedisBroker(server.address(), DeadLimits.DEFAULT);
            die(there, "dead#0", "high", payloads(1));
            start(server.address(), Duration.ofSeconds(1));
            Eventually.until("it recovers", () -> length(server, "high") == 1);
            server.crashAndStart();
            die(there, "dead#0", "low", payloads(3));

            Eventually.until("it recovers again", () -> length(server, "low") == 3);
        }
    }

    /// While it waits, that is all that recovery asks.
    private static boolean hasLooked(RedisServerForTests server) {
        byte[] clients = (byte[]) Objects.requireNonNull(call(server, "CLIENT", "LIST"));
        return new String(clients, StandardCharsets.UTF_8)
                .lines()
                .anyMatch(
                        line -> line.contains(" name=mawashi-lease ") && line.contains("cmd=info"));
    }

    private static @Nullable Object call(RedisServerForTests server, String... command) {
        try (RedisConnection redis = server.connect()) {
            return redis.call(command);
        }
    }

    @Test
    void recoveredJobsAndSuspectsAreNamed() {
        byte[] payload =
                "{\"class\":\"SleepJob\",\"args\":[],\"jid\":\"abc\"}"
                        .getBytes(StandardCharsets.UTF_8);
        Event.JobName name = new Event.JobName("low", "SleepJob", "abc");
        die(broker, "dead#0", "low", List.of(payload));
        start(SERVER.address());
        Eventually.until("it is back", () -> length("low") == 1);
        Eventually.until("it is told", () -> !events.of(Event.JobsRecovered.class).isEmpty());
        assertThat(events.of(Event.JobsRecovered.class).getFirst().jobs()).containsExactly(name);
        assertThat(events.of(Event.JobsSuspected.class)).isEmpty();

        die(broker, "dead#1", "low", List.of());

        Eventually.until("it is told", () -> !events.of(Event.JobsSuspected.class).isEmpty());
        assertThat(events.of(Event.JobsSuspected.class))
                .containsExactly(new Event.JobsSuspected("low", 1, List.of(name)));
        assertThat(events.of(Event.JobsRecovered.class).getLast().jobs()).containsExactly(name);
        Eventually.until("they are seen to", () -> suspected.contains("low"));
    }

    @Test
    void suspectsThatWaitAreSeenToByWhoeverIsThere() {
        redis.call("SADD", "mw:queues", "low");
        redis.call("RPUSH", "mw:{queue:low}:suspects", "1");
        start(SERVER.address());

        Eventually.until("they are seen to", () -> suspected.contains("low"));
    }

    @Test
    void nothingOfADeadOwnerIsLeftInRedis() {
        die("dead#0", "low", 3);
        start(SERVER.address());

        Eventually.until("all are back", () -> length("low") == 3);
        // Only the memory of the crash stays, for a day.
        assertThat(redis.call("KEYS", "mw:{*:inflight:*")).isEqualTo(List.of());
        assertThat(redis.call("EXISTS", "mw:{queue:low}:leases")).isEqualTo(0L);
    }

    @Test
    void aQueueThatCannotTakeItsJobsBackHoldsNoOthersUp() {
        for (int i = 0; i < 10; i++) {
            die("dead#0", "q" + i, 1);
            redis.call(i < 9 ? "SET" : "EXISTS", "queue:q" + i, "no list");
        }
        redis.call("DEL", "queue:q9");
        start(SERVER.address());

        Eventually.until("the good queue has its job", () -> length("q9") == 1);
        assertThat(redis.call("HLEN", "mw:{queue:q3}:inflight:dead#0")).isEqualTo(1L);
    }

    @Test
    void thatAQueueCannotBeRecoveredIsSaidOnceAndThatItCanOnce() {
        die("dead#0", "odd", 1);
        redis.call("SET", "queue:odd", "no list");
        start(SERVER.address());
        Eventually.until("said", () -> !events.of(Event.QueueUnrecoverable.class).isEmpty());
        // Sweeps go through all queues in turn: what dies now is found by a later one.
        for (int i = 0; i < 3; i++) {
            String queue = "good" + i;
            die("dead#" + i, queue, 1);
            Eventually.until("another sweep", () -> length(queue) == 1);
        }

        assertThat(events.of(Event.QueueUnrecoverable.class))
                .extracting(Event.QueueUnrecoverable::queue)
                .containsExactly("odd");
        assertThat(events.of(Event.QueueRecoverable.class)).isEmpty();
        assertThat(events.of(Event.BrokerDown.class)).isEmpty();

        redis.call("DEL", "queue:odd");
        Eventually.until("it is back", () -> length("odd") == 1);
        Eventually.until("said", () -> !events.of(Event.QueueRecoverable.class).isEmpty());
        assertThat(events.of(Event.QueueRecoverable.class)).hasSize(1);
        assertThat(events.of(Event.QueueUnrecoverable.class)).hasSize(1);
    }

    @Test
    void namesOfQueuesThatNoClientGivesHoldNothingUp() {
        List<String> odd =
                List.of(
                        "",
                        "}{",
                        "a{b}c",
                        "x:y",
                        "../../etc",
                        "*",
                        "a\r\nb",
                        "\0",
                        "q".repeat(10_000));
        for (String name : odd) {
            die("dead#0", name, 2);
        }
        byte[] noText = {(byte) 0xff, (byte) 0xfe};
        redis.call(RedisConnection.ascii("SADD"), RedisConnection.ascii("mw:queues"), noText);
        redis.call("SADD", "mw:queues", "gone", "queue:low", "mw:queues");
        start(SERVER.address());

        for (String name : odd) {
            Eventually.until("\"" + name + "\" is recovered", () -> length(name) == 2);
        }
        assertThat(events.of(Event.Defect.class)).isEmpty();
    }

    @Test
    void arrivalsThatNobodyClaimedAreGivenBack() {
        try (Leasing leasing = broker.leasing()) {
            leasing.open("me#0", List.of("low"), LONG);
        }
        redis.call("LPUSH", "mw:{queue:low}:arrivals", "1");
        start(SERVER.address());

        Eventually.until("it is back", () -> length("low") == 1);
    }

    @Test
    void anOutageIsSurvived() {
        try (FaultProxy proxy = new FaultProxy(SERVER.address())) {
            proxy.shut();
            start(proxy.address());
            Eventually.until("it notices", () -> !events.of(Event.BrokerDown.class).isEmpty());
            die("dead#0", "low", 2);
            proxy.admit();

            Eventually.until("both are back", () -> length("low") == 2);
            recoveries.forEach(recovery -> recovery.stop(LONG));
        }
    }
}
