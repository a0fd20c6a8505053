package dev.mawashi.bench.report;

import java.util.List;

/// Median, least and largest of some figures.
public record Spread(double median, double min, double max) {
    public static Spread of(List<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("no figures");
        }
        List<Double> sorted = figures.stream().sorted().toList();
        double upper = sorted.get(sorted.size() / 2);
        double lower = sorted.get((sorted.size() - 1) / 2);
        return new Spread((lower + upper) / 2, sorted.getFirst(), sorted.getLast());
    }

    /// The value that so many of a hundred do not exceed.
    ///
    /// @param sorted from the least on
    public static double percentile(List<Double> sorted, int percent) {
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return sorted.get(Math.max(1, rank) - 1);
    }
}
