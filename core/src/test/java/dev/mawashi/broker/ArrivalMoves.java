package dev.mawashi.broker;

import static dev.mawashi.broker.CrashPoints.BYTES_MAX;
import static dev.mawashi.broker.CrashPoints.LAPSED;
import static dev.mawashi.broker.CrashPoints.LONG;
import static dev.mawashi.broker.CrashPoints.QUEUES;
import static dev.mawashi.broker.CrashPoints.assertHeld;

import dev.mawashi.broker.CrashPoints.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Moves of jobs that wake a parked process.
final class ArrivalMoves {
    private ArrivalMoves() {}

    /// One arrives, runs and is done. One of whose arrival the process did not hear is found by its
    /// next claim.
    static void run(Attempt attempt) {
        List<byte[]> known = new ArrayList<>();
        try (Leasing leasing = attempt.direct.leasing();
                Parking parking = attempt.broken.parking();
                Claiming claiming = attempt.broken.claiming()) {
            leasing.open("me", QUEUES, LONG);
            attempt.persistently(() -> {
                if (await(parking) instanceof Parking.Arrival.Job job) {
                    parking.begin(job);
                    attempt.settle(
                            attempt.broken,
                            List.of(
                                    new Settled(job.lease(), Settlement.ARRIVED),
                                    new Settled(job.lease(), Settlement.ACK)));
                }
            });
            attempt.persistently(() -> known.addAll(claim(claiming)));
        }
        assertHeld(attempt, known);
    }

    /// One arrives and finds no slot.
    static void leave(Attempt attempt) {
        try (Leasing leasing = attempt.direct.leasing();
                Parking parking = attempt.broken.parking();
                Claiming claiming = attempt.broken.claiming()) {
            leasing.open("me", QUEUES, LONG);
            attempt.persistently(() -> {
                if (await(parking) instanceof Parking.Arrival.Job job) {
                    parking.leave(job);
                }
            });
            attempt.persistently(() -> claiming.giveBack(QUEUES, "me"));
        }
        assertHeld(attempt, List.of());
    }

    /// The process dies with one that has arrived and one that it has claimed.
    static void recover(Attempt attempt) {
        attempt.claimed(1);
        try (Parking parking = attempt.direct.parking();
                Leasing direct = attempt.direct.leasing();
                Leasing leasing = attempt.broken.leasing()) {
            await(parking);
            direct.open("me", QUEUES, LAPSED);
            attempt.persistently(
                    () -> leasing.queuesToRecover("").forEach(queue -> leasing.recover(queue, "")));
        }
        assertHeld(attempt, List.of());
    }

    private static Parking.Arrival await(Parking parking) {
        return parking.awaitArrival("low", "me", Duration.ofSeconds(5));
    }

    private static List<byte[]> claim(Claiming claiming) {
        return claiming.claim(QUEUES, "me", 50, BYTES_MAX).leases().stream()
                .map(Lease::payload)
                .toList();
    }
}
