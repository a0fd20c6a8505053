package dev.mawashi.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What must be true of the jobs once a scenario is over. Nothing acknowledged may ever be lost;
/// the rest is how much a fault may cost.
///
/// @param lostMax jobs that Redis itself has lost with its memory
/// @param duplicatedMax jobs that may have run to their end more than once
/// @param isOfRunning whether, instead, those may that had begun and were not settled at a fault,
///   and no others
/// @param overlappingMax jobs of which two runs may have been under way at a time
/// @param failedMax jobs in `retry` or `dead`: no fault of Redis may use up a try
/// @param isOrdered whether the jobs of the queue began in its order
/// @param recoveryMax from the fault until all that was in hand runs again
record Promise(
        int lostMax,
        int duplicatedMax,
        boolean isOfRunning,
        int overlappingMax,
        int failedMax,
        boolean isOrdered,
        Duration recoveryMax) {
    private static final Duration LONG = Duration.ofSeconds(60);

    static Promise duplicates(int most) {
        return new Promise(0, most, false, 0, 0, false, LONG);
    }

    /// Duplicates of what was running, and nothing else.
    static Promise duplicatesOfRunning() {
        return new Promise(0, 0, true, 0, 0, false, LONG);
    }

    Promise lost(int most) {
        return new Promise(
                most,
                duplicatedMax,
                isOfRunning,
                overlappingMax,
                failedMax,
                isOrdered,
                recoveryMax);
    }

    Promise overlaps(int most) {
        return new Promise(
                lostMax, duplicatedMax, isOfRunning, most, failedMax, isOrdered, recoveryMax);
    }

    Promise failures(int most) {
        return new Promise(
                lostMax, duplicatedMax, isOfRunning, overlappingMax, most, isOrdered, recoveryMax);
    }

    Promise inOrder() {
        return new Promise(
                lostMax, duplicatedMax, isOfRunning, overlappingMax, failedMax, true, recoveryMax);
    }

    Promise recoveredWithin(Duration most) {
        return new Promise(
                lostMax, duplicatedMax, isOfRunning, overlappingMax, failedMax, isOrdered, most);
    }

    /// How many jobs may be duplicated.
    int duplicatedMax(Findings found) {
        return isOfRunning ? found.running() : duplicatedMax;
    }

    /// What of it did not hold; empty when all did.
    List<String> broken(Findings found) {
        List<String> broken = new ArrayList<>();
        judge(broken, "lost", found.lost().size(), lostMax);
        judge(broken, "ran and was never sent", found.unexpected(), 0);
        judge(broken, "duplicated", found.duplicated(), duplicatedMax(found));
        judge(broken, "duplicated and in nobody's hand", isOfRunning ? found.strays() : 0, 0);
        judge(broken, "overlapping", found.overlapping(), overlappingMax);
        judge(broken, "in two places at the end", found.inTwoPlaces(), 0);
        judge(broken, "failed", found.failed(), failedMax);
        judge(broken, "out of order", isOrdered ? found.outOfOrder() : 0, 0);
        if (found.recovery().compareTo(recoveryMax) > 0) {
            broken.add("recovered after " + found.recovery() + ", at most " + recoveryMax);
        }
        return broken;
    }

    private static void judge(List<String> broken, String what, int count, int most) {
        if (count > most) {
            broken.add(count + " " + what + ", at most " + most);
        }
    }
}
