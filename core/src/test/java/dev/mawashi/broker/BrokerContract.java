package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every broker promises. Run on the one in memory and on a real Redis.
abstract class BrokerContract extends ArrivalContract {
    @Test
    void jobsAreClaimedInTheOrderInWhichTheyWerePushed() {
        open("a", "q");
        push("q", "1", "2", "3");
        push("q", "4");

        assertThat(texts(claim("a", 10, "q"))).containsExactly("1", "2", "3", "4");
        assertThat(claim("a", 10, "q")).isEmpty();
    }

    @Test
    void claimsThatAreUnderWayTogetherTakeTheJobsInTheirOrder() {
        open("a", "q");
        push("q", "1", "2", "3", "4", "5");
        try (Claiming claiming = broker().claiming()) {
            claiming.ask(List.of("q"), "a", 2, MANY_BYTES);
            claiming.ask(List.of("q"), "a", 2, MANY_BYTES);
            assertThat(claiming.asked()).isEqualTo(2);

            List<Lease> leases = new ArrayList<>(claiming.answer().leases());
            assertThat(texts(leases)).containsExactly("1", "2");
            claiming.ask(List.of("q"), "a", 2, MANY_BYTES);
            leases.addAll(claiming.answer().leases());
            leases.addAll(claiming.answer().leases());

            assertThat(claiming.asked()).isZero();
            assertThat(texts(leases)).containsExactly("1", "2", "3", "4", "5");
            assertThat(leases).extracting(Lease::token).isSorted().doesNotHaveDuplicates();
            assertThat(claiming.claim(List.of("q"), "a", 2, MANY_BYTES).leases()).isEmpty();
        }
    }

    @Test
    void laterQueuesGiveOnlyWhatEarlierOnesLeaveRoomFor() {
        open("a", "high", "low");
        push("low", "l1", "l2");
        push("high", "h1");

        assertThat(texts(claim("a", 2, "high", "low"))).containsExactly("h1", "l1");
        assertThat(queued("low")).containsExactly("l2");
    }

    @Test
    void aClaimTakesNoMoreThanItMay() {
        open("a", "q");
        String big = "x".repeat(1_000);
        push("q", IntStream.range(0, 100).mapToObj(i -> big + i).toArray(String[]::new));

        assertThat(claim("a", 7, "q")).hasSize(7);
        try (Claiming claiming = broker().claiming()) {
            assertThat(claiming.claim(List.of("q"), "a", 50, 10_000).leases())
                    .hasSizeBetween(1, 49);
            assertThat(claiming.claim(List.of("q"), "a", 50, 1).leases()).isNotEmpty();
        }
    }

    @Test
    void withoutALeaseNothingIsClaimed() {
        push("q", "1");

        try (Claiming claiming = broker().claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("q"), "nobody", 1, MANY_BYTES);
            assertThat(claimed.leases()).isEmpty();
            assertThat(claimed.isFenced()).isTrue();
        }
        assertThat(queued("q")).containsExactly("1");
    }

    @Test
    void anAckedJobIsGone() {
        open("a", "q");
        push("q", "1", "2");
        List<Lease> leases = claim("a", 2, "q");

        assertThat(settle(leases, Settlement.ACK).late()).isZero();

        assertThat(recoverAfterRelease("a", "q")).isZero();
        assertThat(queued("q")).isEmpty();
    }

    @Test
    void settlingTwiceChangesNothingAndIsCountedAsLate() {
        open("a", "q");
        push("q", "1");
        List<Lease> leases = claim("a", 1, "q");
        settle(leases, new Settlement.Retry(bytes("1b"), Duration.ofMinutes(1)));

        // It had not ended, so this is no second run.
        assertThat(settle(leases, Settlement.REQUEUE).late()).isZero();
        assertThat(settle(leases, Settlement.ACK).late()).isEqualTo(1);
        assertThat(settle(leases, new Settlement.Bury(bytes("1c"))).late()).isEqualTo(1);
        assertThat(settle(leases, new Settlement.Retry(bytes("1d"), Duration.ZERO)).late())
                .isEqualTo(1);

        assertThat(queued("q")).isEmpty();
        assertThat(dead()).isEmpty();
        assertThat(scheduled(Scheduling.From.RETRY)).containsExactly("1b");
    }

    @Test
    void requeuedJobsAreNextInTheirOldOrder() {
        open("a", "q");
        push("q", "1", "2", "3");
        List<Lease> leases = claim("a", 2, "q");

        settle(leases, Settlement.REQUEUE);

        assertThat(queued("q")).containsExactly("1", "2", "3");
    }

    @Test
    void aFailedJobGoesToTheRetrySetAndADeadOneToTheDeadSet() {
        open("a", "q");
        push("q", "1", "2");
        List<Lease> leases = claim("a", 2, "q");

        settle(leases.subList(0, 1), new Settlement.Retry(bytes("1'"), Duration.ofMinutes(1)));
        settle(leases.subList(1, 2), new Settlement.Bury(bytes("2'")));

        assertThat(scheduled(Scheduling.From.RETRY)).containsExactly("1'");
        assertThat(dead()).containsExactly("2'");
        assertThat(recoverAfterRelease("a", "q")).isZero();
    }

    @Test
    void twoFailedJobsWithEqualBytesBothStay() {
        open("a", "q");
        push("q", "{}", "{}", "{}", "{}");
        List<Lease> leases = claim("a", 4, "q");

        settle(leases.subList(0, 2), new Settlement.Retry(bytes("{}"), Duration.ofMinutes(1)));
        settle(leases.subList(2, 4), new Settlement.Bury(bytes("{}")));

        assertThat(scheduled(Scheduling.From.RETRY)).hasSize(2);
        assertThat(dead()).hasSize(2);
    }

    @Test
    void equalPayloadsAreSettledOneByOne() {
        open("a", "q");
        push("q", "{}", "{}");
        List<Lease> leases = claim("a", 2, "q");

        settle(leases.subList(0, 1), Settlement.ACK);

        assertThat(recoverAfterRelease("a", "q")).isEqualTo(1);
        assertThat(queued("q")).containsExactly("{}");
    }

    @Test
    void aLapsedOwnersJobsGoToTheHeadOldestFirst() {
        try (Leasing leasing = broker().leasing()) {
            leasing.open("dead", List.of("q"), LONG);
            push("q", IntStream.range(0, 300).mapToObj(i -> "" + i).toArray(String[]::new));
            List<Lease> leases = claim("dead", 250, "q");
            assertThat(leases).hasSize(250);
            leasing.renew("dead", List.of("q"), Duration.ofMillis(1));

            List<Leasing.Recovered> found = new ArrayList<>();
            Eventually.until(
                    "the lease lapses",
                    () -> {
                        found.add(leasing.recover("q", ""));
                        return found.getLast().jobs().count() > 0;
                    });

            assertThat(found.getLast().owners()).containsExactly("dead");
            assertThat(found.getLast().jobs().count()).isEqualTo(250);
            assertThat(found.getLast().waiting()).isZero();
            assertThat(queued("q"))
                    .isEqualTo(IntStream.range(0, 300).mapToObj(i -> "" + i).toList());
            assertThat(settle(leases, Settlement.ACK).late()).isEqualTo(250);
            assertThat(queued("q")).hasSize(300);
        }
    }

    @Test
    void aLiveOwnerIsNotRecovered() {
        open("a", "q");
        push("q", "1");
        claim("a", 1, "q");

        try (Leasing leasing = broker().leasing()) {
            Leasing.Recovered recovered = leasing.recover("q", "");
            assertThat(recovered.owners()).isEmpty();
            assertThat(recovered.jobs().count()).isZero();
        }
        assertThat(queued("q")).isEmpty();
    }

    @Test
    void aRecoveredOwnerCannotRenewItsLease() {
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", List.of("q"), LONG);
            assertThat(leasing.renew("a", List.of("q"), LONG).isFenced()).isFalse();

            leasing.open("a", List.of("q"), LAPSED);
            leasing.recover("q", "");

            assertThat(leasing.renew("a", List.of("q"), LONG).isFenced()).isTrue();
            push("q", "1");
            assertThat(claim("a", 1, "q")).isEmpty();
        }
    }

    @Test
    void aLeaseThatIsLostAndNobodyHasRecoveredIsOpenedAgain() {
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", List.of("q"), LONG);
            leasing.release("a", List.of("q"));

            Leasing.Kept kept = leasing.renew("a", List.of("q"), LONG);

            assertThat(kept).isEqualTo(new Leasing.Kept(false, Leasing.Doubt.WENT_BACK, Map.of()));
            push("q", "1");
            assertThat(claim("a", 1, "q")).hasSize(1);
        }
    }

    @Test
    void dueJobsMoveToTheirQueueOnce() {
        try (Enqueuing enqueuing = broker().enqueuing();
                Scheduling scheduling = broker().scheduling()) {
            enqueuing.schedule(Instant.now().minusSeconds(5), bytes("due"));
            enqueuing.schedule(Instant.now().plusSeconds(1_000), bytes("later"));
            enqueuing.flush();

            Scheduling.Due due = scheduling.due(10, 1 << 20);
            assertThat(due.entries()).hasSize(1);
            assertThat(due.nextMillis().orElseThrow()).isBetween(900_000L, 1_000_000L);
            var promotion = new Scheduling.Promotion(due.entries().getFirst(), "q", bytes("due'"));

            assertThat(scheduling.promote(List.of(promotion)).moved()).isEqualTo(1);
            assertThat(scheduling.promote(List.of(promotion)).moved()).isZero();
        }
        assertThat(queued("q")).containsExactly("due'");
        assertThat(scheduled(Scheduling.From.SCHEDULE)).containsExactly("later");
    }

    @Test
    void anEntryThatIsNoJobCanBeBuried() {
        try (Enqueuing enqueuing = broker().enqueuing();
                Scheduling scheduling = broker().scheduling()) {
            enqueuing.schedule(Instant.now().minusSeconds(5), bytes("no job"));
            enqueuing.flush();

            scheduling.bury(scheduling.due(10, 1 << 20).entries().getFirst());

            assertThat(scheduling.due(10, 1 << 20).entries()).isEmpty();
        }
        assertThat(dead()).containsExactly("no job");
    }
}
