package dev.mawashi.inspect;

import java.util.List;

/// What a class has run in a period.
///
/// @param processed runs, failed ones among them
/// @param millis time that the successful runs took
/// @param bars runs by part of the period, oldest first
/// @param times of the successful runs, as far as they were read
public record ClassRuns(
        String jobClass,
        long processed,
        long failed,
        long millis,
        List<Long> bars,
        RunTimes times) {
    public ClassRuns {
        bars = List.copyOf(bars);
    }

    /// Share of the runs that failed, 0 to 1.
    public double failedShare() {
        return processed == 0 ? 0 : (double) failed / processed;
    }

    /// Milliseconds that a successful run took on average; 0 when none was.
    public double meanMillis() {
        return processed > failed ? (double) millis / (processed - failed) : 0;
    }

    ClassRuns with(RunTimes known) {
        return new ClassRuns(jobClass, processed, failed, millis, bars, known);
    }
}
