package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A dead owner's jobs go back in steps, whoever makes them, and a recoverer may die between two.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("stack")
class RecoverStepsIT extends HeldJobs {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    RecoverStepsIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void jobsKeepTheirOrderAndAreCounted() {
        hold("dead", numbered(JOBS));
        lapse("dead");

        Leasing.Recovered recovered = leasing.recover("q", "me");

        assertThat(recovered.owners()).containsExactly("dead");
        assertThat(recovered.jobs().count()).isEqualTo(JOBS);
        assertThat(recovered.jobs().named()).hasSize(Leasing.NAMED_MAX);
        assertThat(queued()).isEqualTo(numbered(JOBS));
        assertThat((List<?>) redis.call("KEYS", "mw:*"))
                .extracting(key -> new String((byte[]) key, StandardCharsets.UTF_8))
                .containsExactlyInAnyOrder(
                        "mw:queues", "mw:{queue:q}:crashes", "mw:{queue:q}:recovered");
        assertThat(secondsToLive("mw:{queue:q}:crashes")).isPositive();
        assertThat(secondsToLive("mw:{queue:q}:recovered")).isPositive();
    }

    @Test
    void aRecovererThatDiesBetweenStepsLeavesEachJobInOnePlaceAndTheNextOneGoesOn() {
        for (Cut cut : Cut.values()) {
            for (int burst = 1; ; burst++) {
                SERVER.flushAll();
                hold("dead", numbered(JOBS));
                lapse("dead");
                if (!recoverCutOff(cut, burst)) {
                    break;
                }
                String point = cut + " " + burst;
                List<String> found =
                        Stream.concat(queued().stream(), texts(places.inFlight("q")).stream())
                                .toList();
                assertThat(found).as(point).containsExactlyInAnyOrderElementsOf(numbered(JOBS));

                leasing.recover("q", "me");

                assertThat(queued()).as(point).isEqualTo(numbered(JOBS));
                assertThat(redis.call("EXISTS", "mw:{queue:q}:leases")).isEqualTo(0L);
                assertThat(redis.call("EXISTS", "mw:{queue:q}:noted:dead")).isEqualTo(0L);
                assertThat(places.suspects("q")).as(point).isEmpty();
            }
        }
    }

    private enum Cut {
        BEFORE_SEND,
        BEFORE_REPLY,
        AFTER_REPLY
    }

    /// @return whether it came so far
    private boolean recoverCutOff(Cut cut, int burst) {
        try (FaultProxy proxy = new FaultProxy(SERVER.address());
                Leasing dying = new RedisBroker(proxy.address(), DeadLimits.DEFAULT).leasing()) {
            switch (cut) {
                case BEFORE_SEND -> proxy.cutBeforeSend(burst);
                case BEFORE_REPLY -> proxy.cutAfterReplyBytes(burst, 0);
                case AFTER_REPLY -> proxy.cutAfterReplies(burst);
            }
            try {
                dying.recover("q", "me");
            } catch (RedisFailure failure) {
                assertThat(failure.kind()).isNotEqualTo(RedisFailure.Kind.REFUSED);
            }
            return !proxy.hasCutAhead();
        }
    }

    @Test
    void anOwnerWhoseRecoveryHasBegunIsFencedAndClaimsNothing() {
        recoverInPart(numbered(JOBS));

        assertThat(leasing.renew("dead", QUEUES, LONG).isFenced()).isTrue();
        assertThat(leasing.open("dead", QUEUES, LONG).isFenced()).isTrue();
        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(QUEUES, "dead", 5, 1_000);
            assertThat(claimed.leases()).isEmpty();
            assertThat(claimed.isFenced()).isTrue();
        }

        assertThat(leasing.recover("q", "me").owners()).containsExactly("dead");
        assertThat(leasing.renew("dead", QUEUES, LONG).isFenced()).isTrue();
        assertThat(queued()).isEqualTo(numbered(JOBS));
    }

    /// Has an owner die with these jobs, and who recovers it after the first step that gives any
    /// back.
    private List<Lease> recoverInPart(List<String> jobs) {
        for (int burst = 1; ; burst++) {
            SERVER.flushAll();
            List<Lease> leases = hold("dead", jobs);
            lapse("dead");
            recoverCutOff(Cut.AFTER_REPLY, burst);
            if (places.inFlight("q").size() < jobs.size()) {
                assertThat(places.inFlight("q")).isNotEmpty();
                return leases;
            }
        }
    }

    @Test
    void whatARecoveryNotedForItselfGoesThoughNobodyCarriesOn() {
        recoverInPart(numbered(JOBS));

        assertThat(secondsToLive("mw:{queue:q}:noted:dead")).isPositive();
    }

    /// It renews between the look at who has lapsed and the first step.
    @Test
    void anOwnerThatRenewsInTimeKeepsItsJobs() {
        hold("late", List.of("1"));
        List<byte[]> keys =
                Stream.of("leases", "inflight:late", "", "crashes", "suspects", "alone")
                        .map(end -> end.isEmpty() ? "queue:q" : "mw:{queue:q}:" + end)
                        .map(RedisConnection::utf8)
                        .collect(Collectors.toCollection(ArrayList::new));
        keys.add(RedisConnection.utf8("mw:{queue:q}:recovered"));
        keys.add(RedisConnection.utf8("mw:{queue:q}:noted:late"));
        List<byte[]> args =
                Stream.of("late", "lapsed", "60", "9", "999", "60", "999", "9", "1")
                        .map(RedisConnection::utf8)
                        .toList();

        assertThat(redis.eval(Sides.of(QueueLayout.SIDEKIQ).script("recover.lua"), keys, args))
                .isNull();

        assertThat(texts(places.inFlight("q"))).containsExactly("1");
        assertThat(queued()).isEmpty();
    }

    @Test
    void whatIsDoneBetweenTwoStepsIsNotPutBack() {
        List<Lease> leases = recoverInPart(numbered(JOBS));
        try (Settling settling = broker.settling()) {
            List<Settled> first =
                    leases.subList(0, 5).stream()
                            .map(lease -> new Settled(lease, Settlement.ACK))
                            .toList();
            assertThat(settling.settle(first).late()).isZero();
        }

        leasing.recover("q", "me");

        assertThat(queued()).isEqualTo(numbered(JOBS).subList(5, JOBS));
    }

    @Test
    void equalJobsOfLaterStepsAreNotBlamedForThoseOfEarlierOnes() {
        List<String> twins = Collections.nCopies(JOBS, "twin");
        recoverInPart(twins);

        Leasing.Recovered recovered = leasing.recover("q", "me");

        assertThat(recovered.suspects().count()).isZero();
        assertThat(queued()).isEqualTo(twins);
        assertThat(Replies.texts(redis.call("HVALS", "mw:{queue:q}:crashes")))
                .containsExactly("" + JOBS);

        try (Claiming claiming = broker.claiming()) {
            leasing.open("next", QUEUES, LONG);
            assertThat(claiming.claim(QUEUES, "next", JOBS, 1 << 20).leases()).hasSize(JOBS);
        }
        lapse("next");
        assertThat(leasing.recover("q", "me").suspects().count()).isEqualTo(JOBS);
        assertThat(redis.call("EXISTS", "mw:{queue:q}:crashes"))
                .as("all are used up")
                .isEqualTo(0L);
    }

    @Test
    void largeJobsGoBackAFewAtATime() {
        List<String> large =
                IntStream.range(0, 8).mapToObj(i -> i + "x".repeat(100 << 10)).toList();
        hold("dead", large);
        lapse("dead");
        long scripts = scripts();

        Leasing.Recovered recovered = leasing.recover("q", "me");
        assertThat(recovered.jobs().count()).isEqualTo(8);
        assertThat(recovered.jobs().named()).as("too large to be named").isEmpty();

        // Two to a step, and what finds the owner and begins.
        assertThat(scripts() - scripts).isEqualTo(3 + 4);
        assertThat(queued()).isEqualTo(large);
    }

    @Test
    void aCrashWithALargeJobInHandIsNotedToo() {
        List<String> large = List.of("x".repeat(1 << 20), "y".repeat(1 << 20));
        hold("dead", large);
        lapse("dead");
        leasing.recover("q", "me");
        try (Claiming claiming = broker.claiming()) {
            leasing.open("next", QUEUES, LONG);
            assertThat(claiming.claim(QUEUES, "next", 1, 1 << 20).leases()).hasSize(1);
            lapse("next");
            assertThat(leasing.recover("q", "me").suspects().count()).isEqualTo(1);

            leasing.open("third", QUEUES, LONG);
            assertThat(claiming.claimSuspect(QUEUES, "third")).isPresent();
            lapse("third");
            leasing.recover("q", "me");
            assertThat(secondsToLive("mw:{queue:q}:alone")).isPositive();
            leasing.open("fourth", QUEUES, LONG);
            assertThat(claiming.claimSuspect(QUEUES, "fourth").orElseThrow().soloCrashes())
                    .isEqualTo(1);
        }
    }
}
