package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every broker promises when its server goes back in time.
abstract class GoingBackContract extends CrashContract {
    private static final List<String> Q = List.of("q");

    /// The same server, as another process sees it.
    abstract Broker anotherProcess();

    /// Keeps what the server holds now.
    abstract void save();

    /// The server holds what it held at `save`, and is another one to its clients, as after a
    /// restart or a failover.
    abstract void goBack();

    private Leasing.Doubt renew(Leasing leasing) {
        return leasing.renew("a", Q, LONG).doubt();
    }

    @Test
    void thatItWentBackIsNoticedOnce() {
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            save();
            assertThat(renew(leasing)).isEqualTo(Leasing.Doubt.NONE);

            goBack();

            assertThat(renew(leasing)).isEqualTo(Leasing.Doubt.WENT_BACK);
            assertThat(renew(leasing)).isEqualTo(Leasing.Doubt.NONE);
        }
    }

    @Test
    void whatWasSettledSinceIsToBeSettledTheSameWayAgain() {
        push("q", "ack", "retry", "bury", "requeue", "runs");
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            List<Lease> jobs = claim("a", 5, "q");
            save();
            List<Settlement> ends =
                    List.of(
                            Settlement.ACK,
                            new Settlement.Retry(bytes("retried"), Duration.ofHours(1)),
                            new Settlement.Bury(bytes("buried")),
                            Settlement.REQUEUE);
            for (int i = 0; i < ends.size(); i++) {
                settle(jobs.subList(i, i + 1), ends.get(i));
            }
            goBack();

            Leasing.Differences found = leasing.compare("a", Q, true);

            assertThat(found.heldAgain()).isZero();
            List<Settled> again = new ArrayList<>(found.again());
            again.sort((a, b) -> Long.compare(a.lease().token(), b.lease().token()));
            assertThat(again).extracting(Settled::settlement).isEqualTo(ends);
            try (Settling settling = broker().settling()) {
                assertThat(settling.settle(again).late()).isZero();
            }
            assertThat(queued("q")).containsExactly("requeue");
            assertThat(scheduled(Scheduling.From.RETRY)).containsExactly("retried");
            assertThat(dead()).containsExactly("buried");
            assertThat(leasing.compare("a", Q, true).isNone()).isTrue();
        }
    }

    @Test
    void whatIsHeldIsInFlightAgainAndLeavesItsQueue() {
        push("q", "1", "2", "3");
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            save();
            List<Lease> held = claim("a", 2, "q");
            goBack();
            assertThat(queued("q")).containsExactly("1", "2", "3");

            Leasing.Differences found = leasing.compare("a", Q, true);

            assertThat(found).isEqualTo(new Leasing.Differences(List.of(), 2));
            assertThat(queued("q")).containsExactly("3");
            assertThat(leasing.compare("a", Q, true).isNone()).isTrue();
            assertThat(settle(held, Settlement.ACK).late()).isZero();
            assertThat(recoverAfterRelease("a", "q")).isZero();
        }
    }

    @Test
    void oneOfEqualJobsLeavesTheQueueForEachThatIsHeld() {
        push("q", "twin", "twin", "twin");
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            save();
            claim("a", 2, "q");
            goBack();

            assertThat(leasing.compare("a", Q, true).heldAgain()).isEqualTo(2);

            assertThat(queued("q")).containsExactly("twin");
        }
    }

    @Test
    void withoutItsLeaseNothingIsHeldAgain() {
        push("q", "1");
        save();
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            claim("a", 1, "q");
            goBack();

            assertThat(leasing.compare("a", Q, true).heldAgain()).isZero();

            assertThat(queued("q")).containsExactly("1");
            assertThat(renew(leasing)).isEqualTo(Leasing.Doubt.WENT_BACK);
            assertThat(leasing.compare("a", Q, true).heldAgain()).isOne();
            assertThat(queued("q")).isEmpty();
        }
    }

    @Test
    void whatIsMissingIsHeldAgainOnlyIfTheServerWentBack() {
        push("q", "1");
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            save();
            claim("a", 1, "q");
            goBack();

            assertThat(leasing.compare("a", Q, false).isNone()).isTrue();

            assertThat(queued("q")).containsExactly("1");
        }
    }

    @Test
    void whatThisProcessNeverHadGoesBackToItsQueue() {
        push("q", "1", "2");
        open("a", "q");
        claim("a", 1, "q");
        try (Leasing other = anotherProcess().leasing()) {
            Leasing.Differences found = other.compare("a", Q, false);

            assertThat(found.again())
                    .extracting(Settled::settlement)
                    .containsExactly(Settlement.REQUEUE);
            try (Settling settling = broker().settling()) {
                settling.settle(found.again());
            }
        }
        assertThat(queued("q")).containsExactly("1", "2");
    }

    @Test
    void whatOthersHaveRecoveredIsNotHeldAgain() {
        push("q", "1");
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            save();
            claim("a", 1, "q");
            leasing.forget("a");
            goBack();

            assertThat(leasing.compare("a", Q, true).isNone()).isTrue();

            assertThat(queued("q")).containsExactly("1");
        }
    }

    @Test
    void aSuspectThatIsHeldAgainIsKnownToRunAlone() {
        push("q", "suspect");
        crashWith(() -> claim("c1", 1, "q"), "c1");
        crashWith(() -> claim("c2", 1, "q"), "c2");
        crashWith(() -> suspect("c3"), "c3");
        crashWith(
                () -> {
                    save();
                    assertThat(suspect("a").soloCrashes()).isOne();
                    goBack();
                    try (Leasing leasing = broker().leasing()) {
                        assertThat(leasing.compare("a", Q, true).heldAgain()).isOne();
                    }
                },
                "a");

        assertThat(queued("q")).isEmpty();
        open("d", "q");
        assertThat(suspect("d").soloCrashes()).isEqualTo(2);
    }

    @Test
    void aSuspectWhoseRunEndedSinceIsToBeSettledAgain() {
        push("q", "suspect");
        crashWith(() -> claim("c1", 1, "q"), "c1");
        crashWith(() -> claim("c2", 1, "q"), "c2");
        try (Leasing leasing = broker().leasing()) {
            leasing.open("a", Q, LONG);
            Lease lease = suspect("a").lease();
            save();
            settle(List.of(lease), new Settlement.Retry(bytes("retried"), Duration.ofHours(1)));
            goBack();

            List<Settled> again = leasing.compare("a", Q, true).again();

            try (Settling settling = broker().settling()) {
                assertThat(settling.settle(again).late()).isZero();
            }
            assertThat(scheduled(Scheduling.From.RETRY)).containsExactly("retried");
            assertThat(leasing.compare("a", Q, true).isNone()).isTrue();
        }
    }
}
