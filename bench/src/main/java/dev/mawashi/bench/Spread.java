package dev.mawashi.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Median, least and largest of the runs' figures.
record Spread(double median, double min, double max) {
    static <T> Spread of(List<T> runs, ToDoubleFunction<T> figure) {
        double[] values = runs.stream().mapToDouble(figure).sorted().toArray();
        if (values.length == 0) {
            throw new IllegalArgumentException("no runs");
        }
        double upper = values[values.length / 2];
        double lower = values[(values.length - 1) / 2];
        return new Spread((lower + upper) / 2, values[0], Arrays.stream(values).max().orElse(0));
    }

    /// The value that so many of a hundred do not exceed.
    ///
    /// @param sorted from the least on
    static double percentile(List<Double> sorted, int percent) {
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return sorted.get(Math.max(1, rank) - 1);
    }
}
