package dev.mawashi.live;

import java.util.Arrays;

/// Makes one row of all samples of a minute. Not safe for threads.
final class Minute {
    private final float[] values;
    private final float[] seconds = new float[Gauge.COUNT];
    private long minute = -1;

    Minute(int columns) {
        values = new float[columns];
    }

    /// The minute that is gathered, since 1970; -1 before the first.
    long minute() {
        return minute;
    }

    void begin(long newMinute) {
        minute = newMinute;
        Arrays.fill(values, Float.NaN);
        Arrays.fill(seconds, 0);
    }

    /// @param span seconds that the sample's rates are of
    void add(float[] sample, float span) {
        for (int column = 0; column < values.length; column++) {
            float value = sample[column];
            boolean isRate = Gauge.isRate(column);
            if (Float.isNaN(value)) {
                continue;
            }
            if (!isRate) {
                values[column] =
                        Float.isNaN(values[column]) ? value : Math.max(values[column], value);
            } else if (span > 0) {
                float before = Float.isNaN(values[column]) ? 0 : values[column] * seconds[column];
                seconds[column] += span;
                values[column] = (before + value * span) / seconds[column];
            }
        }
    }

    /// Forgets a column, see `Ring.clear`.
    void clear(int column) {
        values[column] = Float.NaN;
    }

    float[] values() {
        return values.clone();
    }
}
