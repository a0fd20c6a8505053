package dev.mawashi.live;

import java.util.List;

/// Numbers for plots as JSON: four digits behind the point are more than a plot shows, and what is
/// not known is `null`.
final class JsonNumbers {
    private static final double DIGITS = 10_000;

    private JsonNumbers() {}

    static String of(double value) {
        return append(new StringBuilder(), value).toString();
    }

    private static StringBuilder append(StringBuilder out, double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return out.append("null");
        }
        double rounded = Math.rint(value * DIGITS) / DIGITS;
        return rounded == Math.rint(rounded) && Math.abs(rounded) < Long.MAX_VALUE
                ? out.append((long) rounded)
                : out.append(rounded);
    }

    static String of(List<Double> values) {
        StringBuilder out = new StringBuilder("[");
        for (int i = 0; i < values.size(); i++) {
            append(i > 0 ? out.append(',') : out, values.get(i));
        }
        return out.append(']').toString();
    }

    static String of(float[] values) {
        StringBuilder out = new StringBuilder("[");
        for (int i = 0; i < values.length; i++) {
            append(i > 0 ? out.append(',') : out, values[i]);
        }
        return out.append(']').toString();
    }
}
