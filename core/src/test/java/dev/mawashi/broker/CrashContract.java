package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What every broker promises of jobs in hand at crashes.
abstract class CrashContract extends BrokerHands {
    @Test
    void aJobThatIsInHandAtTwoCrashesBecomesASuspectAndCrashesAloneAreCounted() {
        push("q", "poison", "later");
        crashWith(() -> assertThat(texts(claim("c1", 1, "q"))).containsExactly("poison"), "c1");
        assertThat(queued("q")).containsExactly("poison", "later");

        crashWith(() -> assertThat(texts(claim("c2", 1, "q"))).containsExactly("poison"), "c2");
        assertThat(queued("q")).containsExactly("later");

        for (int crash = 0; crash < 3; crash++) {
            int before = crash;
            String owner = "solo" + crash;
            crashWith(() -> assertThat(suspect(owner).soloCrashes()).isEqualTo(before), owner);
        }
        open("e", "q");
        assertThat(suspect("e").soloCrashes()).isEqualTo(3);
    }

    @Test
    void withoutALeaseNoSuspectIsClaimed() {
        push("q", "poison");
        crashWith(() -> claim("c1", 1, "q"), "c1");
        crashWith(() -> claim("c2", 1, "q"), "c2");

        assertThat(suspects("nobody")).isEmpty();

        open("d", "q");
        assertThat(suspect("d").soloCrashes()).isZero();
    }

    @Test
    void aSuspectWhoseRunEndedIsAJobLikeAnyOther() {
        push("q", "innocent");
        crashWith(() -> claim("c1", 1, "q"), "c1");
        crashWith(() -> claim("c2", 1, "q"), "c2");
        open("d", "q");
        Claiming.Suspect suspect = suspect("d");
        try (Claiming claiming = broker().claiming()) {
            settle(List.of(suspect.lease()), Settlement.REQUEUE);
            assertThat(claiming.claimSuspect(List.of("q"), "d")).isEmpty();
        }

        crashWith(() -> claim("c3", 1, "q"), "c3");
        assertThat(queued("q")).containsExactly("innocent");
    }

    @Test
    void equalJobsAreNotBlamedForOneAnother() {
        push("q", "twin", "twin", "twin");
        crashWith(() -> assertThat(claim("c1", 3, "q")).hasSize(3), "c1");
        assertThat(queued("q")).containsExactly("twin", "twin", "twin");

        open("d", "q");
        settle(claim("d", 1, "q"), Settlement.ACK);
        settle(claim("d", 1, "q"), Settlement.ACK);
        settle(claim("d", 1, "q"), Settlement.ACK);
        push("q", "twin", "twin", "twin", "twin");
        crashWith(() -> claim("c2", 4, "q"), "c2");
        // That three of their like were in hand once cannot be told apart; a fourth is new.
        assertThat(queued("q")).containsExactly("twin");
        open("e", "q");
        for (int i = 0; i < 3; i++) {
            Claiming.Suspect suspect = suspect("e");
            assertThat(suspect.soloCrashes()).isZero();
            settle(List.of(suspect.lease()), Settlement.ACK);
        }
        assertThat(suspects("e")).isEmpty();
    }

    @Test
    void crashesAloneCountAgainstOneOfEqualSuspectsOnly() {
        push("q", "twin", "twin");
        crashWith(() -> claim("c1", 2, "q"), "c1");
        crashWith(() -> claim("c2", 2, "q"), "c2");
        for (int crash = 0; crash < 3; crash++) {
            String owner = "solo" + crash;
            crashWith(() -> suspect(owner), owner);
        }
        open("d", "q");
        assertThat(suspect("d").soloCrashes()).isEqualTo(3);
        assertThat(suspect("d").soloCrashes()).isZero();
    }

    @Test
    void aCrashAloneCountsAgainstTheSuspectOnly() {
        push("q", "poison");
        crashWith(() -> claim("c1", 1, "q"), "c1");
        crashWith(() -> claim("c2", 1, "q"), "c2");
        push("q", "innocent");

        crashWith(
                () -> {
                    suspect("alone");
                    assertThat(texts(claim("alone", 1, "q"))).containsExactly("innocent");
                },
                "alone");

        assertThat(queued("q")).containsExactly("innocent");
        open("d", "q");
        assertThat(suspect("d").soloCrashes()).isOne();
        assertThat(suspects("d")).isEmpty();
    }

    @Test
    void aSuspectThatItsOwnerGivesBackIsNoSuspectAnyMore() {
        push("q", "long");
        crashWith(() -> claim("c1", 1, "q"), "c1");
        crashWith(() -> claim("c2", 1, "q"), "c2");
        open("d", "q");
        suspect("d");

        recoverAfterRelease("d", "q");

        assertThat(queued("q")).containsExactly("long");
        crashWith(() -> claim("c3", 1, "q"), "c3");
        assertThat(queued("q")).containsExactly("long");
    }

    @Test
    void theLastOwnerToReleaseLeavesNoSuspectBehind() {
        push("q", "suspect");
        crashWith(() -> claim("c1", 1, "q"), "c1");
        crashWith(() -> claim("c2", 1, "q"), "c2");
        assertThat(queued("q")).isEmpty();
        open("d", "q");

        recoverAfterRelease("d", "q");

        assertThat(queued("q")).containsExactly("suspect");
    }

    Claiming.Suspect suspect(String owner) {
        return suspects(owner).orElseThrow();
    }

    private Optional<Claiming.Suspect> suspects(String owner) {
        try (Claiming claiming = broker().claiming()) {
            return claiming.claimSuspect(List.of("q"), owner);
        }
    }

    /// Does something as an owner whose lease then lapses, and recovers it.
    void crashWith(Runnable action, String owner) {
        try (Leasing leasing = broker().leasing()) {
            leasing.open(owner, List.of("q"), LONG);
            action.run();
            leasing.renew(owner, List.of("q"), Duration.ofMillis(1));
            Eventually.until(
                    owner + " is recovered",
                    () -> leasing.recover("q", "").owners().contains(owner));
        }
    }

    int recoverAfterRelease(String owner, String queue) {
        try (Leasing leasing = broker().leasing()) {
            return leasing.release(owner, List.of(queue));
        }
    }
}
