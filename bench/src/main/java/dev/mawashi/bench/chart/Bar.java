package dev.mawashi.bench.chart;

import java.util.Locale;

/// A bar with its range.
///
/// @param detail what it is, in small print; may be empty
/// @param value its length; when it is not finite, the bar is said to have none
/// @param min the least of what it is the median of
/// @param max the largest of these
public record Bar(String label, String detail, double value, double min, double max, Hue hue) {
    /// The value as people read it.
    String figure(int decimals) {
        return Double.isFinite(value)
                ? String.format(Locale.ROOT, "%,." + decimals + "f", value)
                : "none";
    }

    /// The end of what is drawn.
    double end() {
        return Math.max(finite(value), finite(max));
    }

    boolean hasRange() {
        return Double.isFinite(min) && Double.isFinite(max) && max > min;
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? Math.max(0, value) : 0;
    }
}
