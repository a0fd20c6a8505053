package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What a broker promises of jobs that wake a parked process.
abstract class ArrivalContract extends GoingBackContract {
    @Test
    void aParkedWaiterWakesForAPushAndTheJobIsClaimable() throws InterruptedException {
        open("a", "q");
        try (Parking parking = broker().parking()) {
            Parking.Arrival.Job job = arrival(parking, "1");
            assertThat(texts(List.of(job.lease()))).containsExactly("1");
            assertThat(claim("a", 1, "q")).isEmpty();

            parking.leave(job);

            assertThat(texts(claim("a", 1, "q"))).containsExactly("1");
        }
    }

    private Parking.Arrival.Job arrival(Parking parking, String job) throws InterruptedException {
        return (Parking.Arrival.Job) anyArrival(parking, job);
    }

    private Parking.Arrival anyArrival(Parking parking, String job) throws InterruptedException {
        List<Parking.Arrival> arrived = new ArrayList<>();
        Thread waiter =
                Thread.ofVirtual().start(() -> arrived.add(parking.awaitArrival("q", "a", LONG)));
        push("q", job);
        waiter.join();
        return arrived.getFirst();
    }

    @Test
    void aLargeJobIsLeftToTheNextClaim() throws InterruptedException {
        open("a", "q");
        String largest = "x".repeat(Parking.BYTES_MAX);
        try (Parking parking = broker().parking()) {
            assertThat(anyArrival(parking, largest + "y")).isEqualTo(Parking.Arrival.LARGE);
            push("q", "next");

            assertThat(texts(claim("a", 1, "q"))).containsExactly(largest + "y");
            assertThat(texts(claim("a", 1, "q"))).containsExactly("next");
            Parking.Arrival.Job job = arrival(parking, largest);
            assertThat(texts(List.of(job.lease()))).containsExactly(largest);
            parking.leave(job);
            assertThat(texts(claim("a", 1, "q"))).containsExactly(largest);
        }
    }

    @Test
    void aJobThatBeganWhenItArrivedIsInFlightBeforeItIsSettled() throws InterruptedException {
        open("a", "q");
        try (Parking parking = broker().parking();
                Settling settling = broker().settling()) {
            Parking.Arrival.Job job = arrival(parking, "1");
            parking.begin(job);
            push("q", "2");
            assertThat(texts(claim("a", 5, "q"))).containsExactly("2");

            settling.settle(List.of(new Settled(job.lease(), Settlement.ARRIVED)));
            assertThat(inFlight("q")).containsExactlyInAnyOrder("1", "2");
            List<Settled> end = List.of(new Settled(job.lease(), Settlement.ACK));
            assertThat(settling.settle(end).late()).isZero();
            assertThat(inFlight("q")).containsExactly("2");
        }
    }

    @Test
    void arrivalAndEndOfAJobMayBeSettledTogetherAndAgain() throws InterruptedException {
        open("a", "q");
        try (Parking parking = broker().parking();
                Settling settling = broker().settling()) {
            Parking.Arrival.Job job = arrival(parking, "1");
            parking.begin(job);
            List<Settled> both =
                    List.of(
                            new Settled(job.lease(), Settlement.ARRIVED),
                            new Settled(job.lease(), Settlement.ACK));

            assertThat(settling.settle(both).late()).isZero();
            Parking.Arrival.Job next = arrival(parking, "1");
            // Of the earlier one an answer was lost, say. It must not take the next one with it.
            assertThat(settling.settle(both).late()).isOne();
            parking.leave(next);

            assertThat(texts(claim("a", 1, "q"))).containsExactly("1");
        }
    }

    @Test
    void whatArrivedIsRecoveredAsTheNewestOfItsOwnersJobs() throws InterruptedException {
        open("a", "q");
        push("q", "1", "2");
        assertThat(texts(claim("a", 2, "q"))).containsExactly("1", "2");
        try (Parking parking = broker().parking();
                Settling settling = broker().settling();
                Leasing leasing = broker().leasing()) {
            Parking.Arrival.Job job = arrival(parking, "3");
            parking.begin(job);
            push("q", "4");
            leasing.open("a", List.of("q"), Duration.ofSeconds(-1));

            assertThat(leasing.recover("q", "").jobs().count()).isEqualTo(3);

            assertThat(queued("q")).containsExactly("1", "2", "3", "4");
            settling.settle(List.of(new Settled(job.lease(), Settlement.ARRIVED)));
            assertThat(queued("q")).containsExactly("1", "2", "3", "4");
            assertThat(inFlight("q")).isEmpty();
        }
    }

    /// The server loses an owner's lease on a queue.
    abstract void loseLease(String queue, String owner);

    @Test
    void whatArrivedIsPutInFlightThoughTheLeaseIsLost() throws InterruptedException {
        open("a", "q");
        try (Parking parking = broker().parking()) {
            Parking.Arrival.Job job = arrival(parking, "1");
            parking.begin(job);
            loseLease("q", "a");
            isPutInFlightAndEnds(job);
        }
    }

    @Test
    void whatArrivedIsPutInFlightThoughTheLeaseHasLapsed() throws InterruptedException {
        open("a", "q");
        try (Parking parking = broker().parking();
                Leasing leasing = broker().leasing()) {
            Parking.Arrival.Job job = arrival(parking, "1");
            parking.begin(job);
            leasing.open("a", List.of("q"), LAPSED);
            isPutInFlightAndEnds(job);
        }
    }

    private void isPutInFlightAndEnds(Parking.Arrival.Job job) {
        assertThat(settle(List.of(job.lease()), Settlement.ARRIVED).late()).isZero();
        assertThat(inFlight("q")).containsExactly("1");
        assertThat(settle(List.of(job.lease()), Settlement.ACK).late()).isZero();
        assertThat(inFlight("q")).isEmpty();
        assertThat(queued("q")).isEmpty();
    }

    @Test
    void nobodyParksWithoutALeaseUntilItIsRenewed() throws InterruptedException {
        AtomicInteger doubts = new AtomicInteger();
        open("a", "q");
        try (Parking parking = broker().parking();
                Leasing leasing = broker().leasing()) {
            leasing.onDoubt(doubts::incrementAndGet);
            Parking.Arrival.Job job = arrival(parking, "1");
            parking.begin(job);
            loseLease("q", "a");
            settle(List.of(job.lease()), Settlement.ARRIVED);
            assertThat(doubts).hasValue(1);
            push("q", "2");
            assertThat(parking.awaitArrival("q", "a", Duration.ofMillis(20)))
                    .isEqualTo(Parking.Arrival.NONE);
            assertThat(queued("q")).containsExactly("2");

            assertThat(leasing.renew("a", List.of("q"), LONG).doubt())
                    .isEqualTo(Leasing.Doubt.WENT_BACK);

            assertThat(parking.awaitArrival("q", "a", LONG))
                    .isInstanceOf(Parking.Arrival.Job.class);
        }
    }

    /// Its arrival and the lease were lost with it.
    @Test
    void aJobThatRunsAndIsLostBeforeItIsInFlightIsHeldAgain() throws InterruptedException {
        save();
        open("a", "q");
        try (Parking parking = broker().parking();
                Leasing leasing = broker().leasing()) {
            Parking.Arrival.Job job = arrival(parking, "1");
            parking.begin(job);
            goBack();
            settle(List.of(job.lease()), Settlement.ARRIVED);
            assertThat(inFlight("q")).isEmpty();

            leasing.renew("a", List.of("q"), LONG);
            assertThat(leasing.compare("a", List.of("q"), true).heldAgain()).isOne();

            assertThat(inFlight("q")).containsExactly("1");
            assertThat(settle(List.of(job.lease()), Settlement.ACK).late()).isZero();
        }
    }

    @Test
    void aJobThatRunsAndIsLostUnderAGoodLeaseIsHeldAgain() throws InterruptedException {
        open("a", "q");
        save();
        try (Parking parking = broker().parking();
                Leasing leasing = broker().leasing()) {
            Parking.Arrival.Job job = arrival(parking, "1");
            parking.begin(job);
            goBack();
            leasing.renew("a", List.of("q"), LONG);
            settle(List.of(job.lease()), Settlement.ARRIVED);

            assertThat(leasing.renew("a", List.of("q"), LONG).doubt())
                    .isEqualTo(Leasing.Doubt.WENT_BACK);
        }
    }

    @Test
    void whatArrivedGoesBackWhenItsOwnerLeaves() throws InterruptedException {
        open("a", "q");
        try (Parking parking = broker().parking();
                Leasing leasing = broker().leasing()) {
            arrival(parking, "1");
            push("q", "2");

            leasing.release("a", List.of("q"));

            assertThat(queued("q")).containsExactly("1", "2");
        }
    }

    @Test
    void parkingEndsWhenNothingComes() {
        try (Parking parking = broker().parking()) {
            assertThat(parking.awaitArrival("q", "a", Duration.ofMillis(20)))
                    .isEqualTo(Parking.Arrival.NONE);
        }
    }
}
