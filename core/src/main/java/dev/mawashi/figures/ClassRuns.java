package dev.mawashi.figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The runs of a class in a period.
///
/// @param processed runs, failed ones among them
/// @param millis time that the successful runs took
/// @param byRunner which runners ran how many, the one with the most first
/// @param bars runs by part of the period, oldest first
/// @param times of the successful runs, as far as they were read
public record ClassRuns(
        String jobClass,
        long processed,
        long failed,
        long millis,
        List<ByRunner> byRunner,
        List<Long> bars,
        RunTimes times) {
    public ClassRuns {
        byRunner = List.copyOf(byRunner);
        bars = List.copyOf(bars);
    }

    /// Runs of one runner.
    ///
    /// @param runner such as `mri`; `elsewhere` for runs that no runner of ours counts: those of
    ///   Sidekiq's processes
    public record ByRunner(String runner, long runs) {
        /// What is elsewhere comes last.
        ///
        /// @param processed all runs
        /// @param known runs by runner
        static List<ByRunner> of(long processed, Map<String, Long> known) {
            List<ByRunner> all = new ArrayList<>();
            known.forEach((runner, runs) -> all.add(new ByRunner(runner, runs)));
            all.sort(Comparator.comparingLong(ByRunner::runs).reversed());
            long elsewhere = processed - all.stream().mapToLong(ByRunner::runs).sum();
            if (elsewhere > 0) {
                all.add(new ByRunner("elsewhere", elsewhere));
            }
            return all;
        }
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
        return new ClassRuns(jobClass, processed, failed, millis, byRunner, bars, known);
    }
}
