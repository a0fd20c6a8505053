package dev.mawashi.presence;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.broker.SettleReport;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.broker.Settling;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A Redis that goes back in time under a working process.
class GoingBackIT {
    private static final List<String> QUEUES = List.of("high", "low");
    private static final String IN_FLIGHT = "mw:{queue:low}:inflight:me#0";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisBroker broker = new RedisBroker(server.address(), DeadLimits.DEFAULT);
    private final RecordedEvents events = new RecordedEvents();
    private final Epoch epoch = new Epoch("me");
    private final LeaseKeeper keeper =
            new LeaseKeeper(
                    broker.leasing(),
                    epoch,
                    QUEUES,
                    new LeaseSettings(SECOND, SECOND),
                    one -> settle(List.of(one)),
                    events,
                    new Outage(events, System::nanoTime));

    @AfterEach
    void stop() {
        keeper.stop(SECOND);
        server.close();
    }

    private @Nullable Object call(String... command) {
        try (RedisConnection redis = server.connect()) {
            return redis.call(command);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> list(String key) {
        List<String> texts = new ArrayList<>();
        for (Object one : (List<?>) requireNonNull(call("LRANGE", key, "0", "-1"))) {
            texts.add(new String((byte[]) one, StandardCharsets.UTF_8));
        }
        return texts.reversed();
    }

    private SettleReport settle(List<Settled> settled) {
        try (Settling settling = broker.settling()) {
            return settling.settle(settled);
        }
    }

    private List<Lease> pushAndClaim(String... payloads) {
        push(payloads);
        return claim();
    }

    private void push(String... payloads) {
        try (Enqueuing enqueuing = broker.enqueuing()) {
            for (String payload : payloads) {
                enqueuing.push("low", List.of(bytes(payload)));
            }
            assertThat(enqueuing.flush()).isEmpty();
        }
    }

    /// The lease is so short that on a busy machine it may be about to be renewed.
    private List<Lease> claim() {
        List<Lease> leases = new ArrayList<>();
        try (Claiming claiming = broker.claiming()) {
            Eventually.until(
                    "there is something to claim",
                    () ->
                            leases.addAll(
                                    claiming.claim(QUEUES, epoch.owner(), 10, 1 << 20).leases()));
        }
        return leases;
    }

    private List<Event.RedisWentBack> reports() {
        return events.of(Event.RedisWentBack.class);
    }

    @Test
    void whatWasSettledAndLostIsSettledAgain() {
        keeper.start();
        List<Lease> jobs = pushAndClaim("ack", "retry", "bury", "requeue", "runs");
        call("SAVE");
        settle(
                List.of(
                        new Settled(jobs.get(0), Settlement.ACK),
                        new Settled(
                                jobs.get(1),
                                new Settlement.Retry(bytes("retried"), Duration.ofHours(1))),
                        new Settled(jobs.get(2), new Settlement.Bury(bytes("buried"))),
                        new Settled(jobs.get(3), Settlement.REQUEUE)));

        server.crashAndStart();

        Eventually.until("it is settled again", () -> Objects.equals(call("HLEN", IN_FLIGHT), 1L));
        assertThat(call("ZSCORE", "retry", "retried")).isNotNull();
        assertThat(call("ZSCORE", "dead", "buried")).isNotNull();
        assertThat(list("queue:low")).containsExactly("requeue");
        Eventually.until("it is told", () -> !reports().isEmpty());
        assertThat(reports()).containsExactly(new Event.RedisWentBack(3, 1, 0));
        assertThat(epoch.owner()).isEqualTo("me#0");
    }

    /// One had just come when Redis was saved, another waited to be run alone.
    @Test
    void jobsThatRunHereLeaveTheArrivalsAndTheSuspectsThatHaveThemAgain() {
        keeper.start();
        pushAndClaim("1", "2", "3");
        call("DEL", IN_FLIGHT);
        call("RPUSH", "mw:{queue:low}:arrivals:me#0", "1");
        call("RPUSH", "mw:{queue:low}:suspects", "other", "2");
        call("SAVE");

        server.crashAndStart();

        Eventually.until("they are in flight", () -> Objects.equals(call("HLEN", IN_FLIGHT), 3L));
        assertThat(list("mw:{queue:low}:arrivals:me#0")).isEmpty();
        assertThat(list("mw:{queue:low}:suspects")).containsExactly("other");
    }

    @Test
    void jobsThatRunHereAreInFlightAgainAndLeaveTheQueueThatHasThemAgain() {
        keeper.start();
        push("1", "2", "3");
        call("SAVE");
        List<Lease> jobs = claim();
        push("4");
        List<Lease> newer = claim();
        settle(List.of(new Settled(jobs.get(1), Settlement.ACK)));

        server.crashAndStart();

        Eventually.until("they are in flight", () -> Objects.equals(call("HLEN", IN_FLIGHT), 3L));
        assertThat(list("queue:low")).containsExactly("2");
        Eventually.until("it is told", () -> !reports().isEmpty());
        assertThat(reports()).containsExactly(new Event.RedisWentBack(0, 0, 3));
        List<Settled> ends = new ArrayList<>();
        List.of(jobs.get(0), jobs.get(2), newer.getFirst())
                .forEach(job -> ends.add(new Settled(job, Settlement.ACK)));
        assertThat(settle(ends).late()).isZero();
    }

    @Test
    void aRedisThatWasEmptiedGetsLeaseQueuesAndRunningJobsBack() {
        keeper.start();
        List<Lease> jobs = pushAndClaim("1", "2");

        call("FLUSHALL");

        Eventually.until("they are in flight", () -> Objects.equals(call("HLEN", IN_FLIGHT), 2L));
        Eventually.until("it is told", () -> !reports().isEmpty());
        assertThat(reports()).containsExactly(new Event.RedisWentBack(0, 0, 2));
        assertThat(epoch.owner()).isEqualTo("me#0");
        assertThat(events.of(Event.OwnerFenced.class)).isEmpty();
        assertThat(call("SCARD", "mw:queues")).isEqualTo(2L);
        settle(
                List.of(
                        new Settled(
                                jobs.getFirst(),
                                new Settlement.Retry(bytes("retried"), Duration.ofHours(1)))));
        assertThat(call("ZSCORE", "retry", "retried")).isNotNull();
    }

    @Test
    void aJobInFlightThatThisProcessNeverHadGoesBack() {
        keeper.start();
        pushAndClaim("runs");

        call("HSET", IN_FLIGHT, "999", "lost");

        Eventually.until("it is back", () -> list("queue:low").equals(List.of("lost")));
        assertThat(call("HLEN", IN_FLIGHT)).isEqualTo(1L);
    }

    @Test
    void aJobThatAnOperatorTookAwayStaysAway() {
        keeper.start();
        pushAndClaim("1");
        call("DEL", IN_FLIGHT);
        call("HSET", IN_FLIGHT, "999", "lost");

        Eventually.until("it has compared", () -> !list("queue:low").isEmpty());

        assertThat(call("EXISTS", IN_FLIGHT)).isEqualTo(0L);
    }

    @Test
    void anOwnerThatOthersRecoveredIsFencedAndNotTakenForALostLease() {
        keeper.start();
        pushAndClaim("1");
        try (Leasing other = broker.leasing()) {
            Eventually.until(
                    "others recover it",
                    () -> {
                        other.open("me#0", List.of("low"), SECOND.negated());
                        return !other.recover("low", "").owners().isEmpty();
                    });
        }

        Eventually.until("a new epoch", () -> epoch.owner().equals("me#1"));

        assertThat(list("queue:low")).containsExactly("1");
        assertThat(reports()).isEmpty();
    }

    @Test
    void aWrongKeyOfOneQueueIsToldOnceAndTheOthersAreServed() {
        call("SET", "mw:{queue:high}:leases", "wrong");
        keeper.start();

        push("1");

        Eventually.until("it is leased", () -> epoch.isLeased(System.nanoTime()));
        assertThat(claim()).hasSize(1);
        call("HSET", IN_FLIGHT, "999", "lost");
        Eventually.until("it has gone on", () -> !list("queue:low").isEmpty());
        assertThat(events.of(Event.LeasesRefused.class)).hasSize(1);
        assertThat(events.of(Event.BrokerDown.class)).isEmpty();
    }
}
