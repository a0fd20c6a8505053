package dev.mawashi.faults;

import java.time.Duration;
import java.util.Set;

/// What came of the jobs of a scenario.
///
/// @param acknowledged jobs that Redis said it has
/// @param lost of these, those that neither ran to their end nor are anywhere in Redis
/// @param unexpected jobs that ran and were never sent
/// @param duplicated jobs that ran to their end more than once
/// @param running jobs that had begun and were not settled at a fault, and so may be duplicated
/// @param strays jobs that are duplicated and were in nobody's hand at a fault
/// @param overlapping jobs of which two runs were under way at a time
/// @param outOfOrder jobs that began before one that was sent earlier
/// @param recovered jobs that were in hand at a fault and ran again
/// @param inTwoPlaces jobs that are in Redis twice, or done and still there
/// @param failed jobs in `retry` or `dead`
/// @param recovery the longest time from a fault until what was in hand ran again, or from a repair
///   until a job began
record Findings(
        int acknowledged,
        Set<String> lost,
        int unexpected,
        int duplicated,
        int running,
        int strays,
        int overlapping,
        int outOfOrder,
        int recovered,
        int inTwoPlaces,
        int failed,
        Duration recovery) {
    static final Findings NONE =
            new Findings(0, Set.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO);
}
