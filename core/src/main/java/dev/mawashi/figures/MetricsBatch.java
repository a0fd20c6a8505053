package dev.mawashi.figures;

import java.time.Instant;
import java.util.List;

/// Runs of a runner by class. They count once in Sidekiq's metrics, however often the batch is
/// sent.
///
/// @param number grows from batch to batch of a process, from 1 on
/// @param time in whose minute the runs count
/// @param runner in one word, such as `mri`
public record MetricsBatch(long number, Instant time, String runner, List<ClassRuns> classes) {
    /// Most classes of a batch, so that the script takes about a millisecond of Redis.
    public static final int CLASSES_MAX = 100;

    public MetricsBatch {
        classes = List.copyOf(classes);
        if (classes.size() > CLASSES_MAX) {
            throw new IllegalArgumentException(classes.size() + " classes in a batch");
        }
    }

    /// The runs of a class.
    ///
    /// @param processed runs, failed ones among them
    /// @param millis time that the successful runs took
    /// @param histogram how many successful runs took how long: one number a bucket
    public record ClassRuns(
            String jobClass, long processed, long failed, long millis, List<Long> histogram) {
        public ClassRuns {
            histogram = List.copyOf(histogram);
        }
    }
}
