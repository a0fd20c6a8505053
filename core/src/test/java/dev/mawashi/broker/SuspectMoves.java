package dev.mawashi.broker;

import static dev.mawashi.broker.CrashPoints.LAPSED;
import static dev.mawashi.broker.CrashPoints.LONG;
import static dev.mawashi.broker.CrashPoints.QUEUES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.util.ArrayList;
import java.util.List;

/// The moves of `CrashPointIT` that suspects make.
final class SuspectMoves {
    private SuspectMoves() {}

    /// All jobs of `high` are to be run alone.
    private static void suspectHigh(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect();
                Leasing leasing = attempt.direct.leasing()) {
            for (int i = 0; i < CrashPoints.JOBS; i++) {
                redis.call("LMOVE", "queue:high", "mw:{queue:high}:suspects", "RIGHT", "LEFT");
            }
            leasing.open("me", QUEUES, LONG);
        }
    }

    static void claim(CrashPoints.Attempt attempt) {
        suspectHigh(attempt);
        List<byte[]> known = new ArrayList<>();
        try (Claiming claiming = attempt.broken.claiming()) {
            for (int i = 0; i < 3; i++) {
                attempt.persistently(() ->
                        claiming.claimSuspect(QUEUES, "me")
                                .ifPresent(one -> known.add(one.lease().payload())));
            }
        }
        CrashPoints.assertHeld(attempt, known);
    }

    static void recover(CrashPoints.Attempt attempt) {
        suspectHigh(attempt);
        try (Claiming claiming = attempt.direct.claiming();
                Leasing direct = attempt.direct.leasing();
                Leasing leasing = attempt.broken.leasing()) {
            assertThat(claiming.claimSuspect(QUEUES, "me")).isPresent();
            direct.open("me", QUEUES, LAPSED);
            attempt.persistently(
                    () -> leasing.queuesToRecover("").forEach(queue -> leasing.recover(queue, "")));
        }
        CrashPoints.recoverAll(attempt);
        CrashPoints.assertHeld(attempt, List.of());
        try (Claiming claiming = attempt.direct.claiming();
                Leasing direct = attempt.direct.leasing()) {
            direct.open("next", QUEUES, LONG);
            assertThat(claiming.claimSuspect(QUEUES, "next").orElseThrow().soloCrashes()).isOne();
        }
    }
}
