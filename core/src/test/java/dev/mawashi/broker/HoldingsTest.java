package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldingsTest {
    private static final String ME = "me#0";
    private static final Settlement RETRY = new Settlement.Retry(new byte[10], Duration.ZERO);

    private final Holdings holdings = new Holdings();

    private List<Lease> claim(int asked, int taken) {
        long first = holdings.reserve(asked);
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < taken; i++) {
            leases.add(new Lease("q", ME, first + i, new byte[] {1}));
        }
        holdings.claimed(first, leases);
        return leases;
    }

    private void settle(Lease lease, Settlement settlement) {
        holdings.settled(List.of(new Settled(lease, settlement)));
    }

    @Test
    void aClaimThatIsUnderWayAndAJobThatIsHeldAreAsTheyShouldBe() {
        long asked = holdings.reserve(3);
        List<Lease> held = claim(5, 5);

        assertThat(holdings.due(asked)).isNull();
        assertThat(holdings.due(asked + 2)).isNull();
        held.forEach(lease -> assertThat(holdings.due(lease.token())).isNull());
        assertThat(holdings.held(ME)).isEqualTo(held);
        assertThat(holdings.held("another#0")).isEmpty();
    }

    @Test
    void whatWasSettledIsSettledTheSameWayAgain() {
        List<Lease> held = claim(4, 4);
        settle(held.get(0), Settlement.ACK);
        settle(held.get(1), RETRY);
        settle(held.get(2), Settlement.REQUEUE);

        assertThat(holdings.due(held.get(0).token())).isEqualTo(Settlement.ACK);
        assertThat(holdings.due(held.get(1).token())).isSameAs(RETRY);
        assertThat(holdings.due(held.get(2).token())).isEqualTo(Settlement.REQUEUE);
        assertThat(holdings.held(ME)).containsExactly(held.get(3));
        settle(held.get(3), Settlement.ACK);
        assertThat(holdings.due(held.get(0).token())).isEqualTo(Settlement.ACK);
        assertThat(holdings.due(held.get(1).token())).isSameAs(RETRY);
    }

    @Test
    void aJobWhoseArrivalWasNotAnsweredIsHeldAgainWhereRedisHasLostIt() {
        List<Lease> held = claim(2, 2);
        List<Settled> arrival = List.of(new Settled(held.get(0), Settlement.ARRIVED));
        List<Settled> end = List.of(new Settled(held.get(1), Settlement.ACK));
        holdings.sending(arrival);
        holdings.sending(end);
        assertThat(holdings.stillHeld(held)).containsExactly(held.get(0));

        holdings.sent(arrival, false);
        holdings.sent(end, false);

        assertThat(holdings.stillHeld(held)).containsExactly(held.get(0));
    }

    @Test
    void whatWasNeverHeldGoesBack() {
        List<Lease> held = claim(10, 2);
        long lost = holdings.reserve(5);
        holdings.gaveUp(lost);

        assertThat(holdings.due(held.getLast().token() + 1)).isEqualTo(Settlement.REQUEUE);
        assertThat(holdings.due(lost)).isEqualTo(Settlement.REQUEUE);
        assertThat(holdings.due(1_000_000)).isEqualTo(Settlement.REQUEUE);
    }

    @Test
    void ofTooManyRetriesTheOldestRunAgainAndSoDoesWhatIsOlder() {
        Lease acked = claim(1, 1).getFirst();
        settle(acked, Settlement.ACK);
        List<Lease> failed = claim(Holdings.SETTLEMENTS_MAX + 1, Holdings.SETTLEMENTS_MAX + 1);
        failed.forEach(lease -> settle(lease, RETRY));
        Lease newest = claim(1, 1).getFirst();
        settle(newest, Settlement.ACK);

        assertThat(holdings.due(acked.token())).isEqualTo(Settlement.REQUEUE);
        assertThat(holdings.due(failed.get(0).token())).isEqualTo(Settlement.REQUEUE);
        assertThat(holdings.due(failed.get(1).token())).isSameAs(RETRY);
        assertThat(holdings.due(newest.token())).isEqualTo(Settlement.ACK);
    }

    @Test
    void retriesAreRememberedUpToABoundOfBytes() {
        Settlement large = new Settlement.Retry(new byte[9 << 20], Duration.ZERO);
        List<Lease> held = claim(2, 2);
        held.forEach(lease -> settle(lease, large));

        assertThat(holdings.due(held.get(0).token())).isEqualTo(Settlement.REQUEUE);
        assertThat(holdings.due(held.get(1).token())).isSameAs(large);
    }

    @Test
    void ofTooManyScatteredAcksTheOldestRunAgain() {
        List<Lease> all = new ArrayList<>();
        for (int i = 0; i <= Holdings.RANGES_MAX; i++) {
            Lease lease = claim(1, 1).getFirst();
            settle(lease, Settlement.ACK);
            all.add(lease);
            holdings.gaveUp(holdings.reserve(1));
        }

        assertThat(holdings.due(all.get(0).token())).isEqualTo(Settlement.REQUEUE);
        assertThat(holdings.due(all.get(1).token())).isEqualTo(Settlement.ACK);
    }

    @Test
    void claimsThatTookLessThanTheyAskedForScatterNothing() {
        Lease oldest = claim(2, 1).getFirst();
        settle(oldest, Settlement.ACK);
        for (int i = 0; i <= Holdings.RANGES_MAX; i++) {
            settle(claim(2, 1).getFirst(), Settlement.ACK);
            claim(3, 0);
        }

        assertThat(holdings.due(oldest.token())).isEqualTo(Settlement.ACK);
    }

    @Test
    void whatMayBeSettledIsNotToBeHeldAgain() {
        List<Lease> held = claim(4, 4);
        List<Settled> underWay = List.of(new Settled(held.get(0), RETRY));
        List<Settled> unanswered = List.of(new Settled(held.get(1), RETRY));
        List<Settled> notSent = List.of(new Settled(held.get(2), RETRY));
        holdings.sending(underWay);
        holdings.sending(unanswered);
        holdings.sent(unanswered, false);
        holdings.sending(notSent);
        holdings.sent(notSent, true);

        assertThat(holdings.stillHeld(held)).containsExactly(held.get(2), held.get(3));
        holdings.sent(underWay, true);
        assertThat(holdings.stillHeld(held)).contains(held.get(0));
    }

    @Test
    void anOwnerThatOthersRecoveredHoldsNothingMoreNotEvenByALateAnswer() {
        long asked = holdings.reserve(1);
        claim(2, 2);

        holdings.forget(ME);
        holdings.claimed(asked, List.of(new Lease("q", ME, asked, new byte[0])));

        assertThat(holdings.held(ME)).isEmpty();
    }
}
