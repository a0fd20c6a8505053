package dev.mawashi.bench;

import java.util.List;

/// What one run of the schedule benchmark came to.
///
/// @param lateMillis how late each probe began, sorted
/// @param movedSeconds from the instant at which the burst was due until none of it was in the set
/// @param ranSeconds from that instant until all of it had run
/// @param scriptMillis what 99 of 100 scripts meanwhile did not hold Redis longer than
/// @param heldMillis the longest that anything on the set held Redis meanwhile
/// @param idleMillis the longest that a script which does nothing held it meanwhile: what the
///   machine adds to any of them
record ScheduleFigures(
        List<Double> lateMillis,
        double movedSeconds,
        double ranSeconds,
        double scriptMillis,
        double heldMillis,
        double idleMillis) {
    ScheduleFigures {
        lateMillis = lateMillis.stream().sorted().toList();
        if (lateMillis.isEmpty()) {
            throw new IllegalArgumentException("no probes");
        }
    }

    /// The lateness that so many of a hundred probes did not exceed.
    double percentile(int percent) {
        int rank = (int) Math.ceil(lateMillis.size() * percent / 100.0);
        return lateMillis.get(Math.max(1, rank) - 1);
    }

    double latest() {
        return lateMillis.getLast();
    }
}
