package dev.mawashi.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/// An axis of a chart: the place of each value, and the ticks.
///
/// @param label what it counts
/// @param ticks the values that are named, from the least on
/// @param place gives a value's place, from 0 to 1; a value beyond an end is placed at that end
public record Axis(String label, List<Tick> ticks, DoubleUnaryOperator place) {
    private static final int TICKS_MAX = 5;
    private static final int DECIMALS_MAX = 4;
    private static final double TINY = 1e-9;
    private static final double HUGE = 1e12;

    /// A named value.
    record Tick(double value, String text) {}

    public Axis {
        ticks = List.copyOf(ticks);
    }

    /// From 0 to at least `max`.
    public static Axis linear(String label, double max) {
        double end = max > 0 && Double.isFinite(max) ? max : 1;
        double step = step(end);
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; (i - 1) * step < end * (1 - TINY); i++) {
            ticks.add(new Tick(i * step, text(i * step)));
        }
        double last = ticks.getLast().value();
        return new Axis(label, ticks, value -> clamp(value / last));
    }

    /// Powers of ten around the values.
    public static Axis logarithmic(String label, double min, double max) {
        int first = (int) Math.floor(Math.log10(Math.clamp(finite(min), TINY, HUGE)));
        int end = (int) Math.ceil(Math.log10(Math.clamp(finite(max), TINY, HUGE)));
        int last = Math.max(first + 1, end);
        List<Tick> ticks = new ArrayList<>();
        for (int power = first; power <= last; power++) {
            ticks.add(new Tick(Math.pow(10, power), text(Math.pow(10, power))));
        }
        return new Axis(
                label,
                ticks,
                value -> clamp((Math.log10(Math.max(value, TINY)) - first) / (last - first)));
    }

    /// Percentiles, from 0 to 0.999. The parts from 0 to 0.9, to 0.99 and to 0.999 have the same
    /// room.
    public static Axis percentiles(String label) {
        List<Tick> ticks =
                List.of(
                        new Tick(0, "0"),
                        new Tick(0.5, "50"),
                        new Tick(0.9, "90"),
                        new Tick(0.99, "99"),
                        new Tick(0.999, "99.9 %"));
        return new Axis(label, ticks, part -> clamp(-Math.log10(Math.max(1 - part, TINY)) / 3));
    }

    /// The place of a value, from 0 to 1.
    double at(double value) {
        return place.applyAsDouble(value);
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? value : 1;
    }

    private static double clamp(double place) {
        return Double.isFinite(place) ? Math.clamp(place, 0, 1) : 0;
    }

    /// 1, 2 or 5 times a power of ten.
    private static double step(double end) {
        double raw = end / (TICKS_MAX - 1);
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        for (int times : new int[] {1, 2, 5}) {
            if (raw <= times * power * (1 + TINY)) {
                return times * power;
            }
        }
        return 10 * power;
    }

    /// Short: `250k`, `1.5M`, `0.05`.
    static String text(double value) {
        if (value >= 1e6) {
            return Svg.number(value / 1e6, DECIMALS_MAX) + "M";
        }
        return value >= 1e4
                ? Svg.number(value / 1e3, DECIMALS_MAX) + "k"
                : Svg.number(value, DECIMALS_MAX);
    }
}
