package dev.mawashi.bench.chart;

import java.util.List;

/// A line through points.
///
/// @param isLimit whether it is a bound, drawn dashed, and not a measurement
/// @param points in order; those that are not finite are left out
public record Curve(String label, Hue hue, boolean isLimit, List<Point> points) {
    /// @param x in the unit of the axis
    public record Point(double x, double y) {
        boolean isFinite() {
            return Double.isFinite(x) && Double.isFinite(y);
        }
    }

    public Curve {
        points = points.stream().filter(Point::isFinite).toList();
    }
}
