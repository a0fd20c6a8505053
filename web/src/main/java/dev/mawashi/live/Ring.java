package dev.mawashi.live;

import java.util.Arrays;

/// The last samples: so many rows of so many columns, each row with its time. Not safe for threads.
///
/// A figure is NaN where it is not known. They are floats: a plot has no use for more digits, and
/// hundreds of rows of a hundred columns take little room.
final class Ring {
    private final double[] times;
    private final float[][] columns;
    private int size;
    private int next;

    Ring(int rows, int columns) {
        times = new double[rows];
        this.columns = new float[columns][rows];
    }

    /// Adds a row in place of the oldest, once all are taken.
    ///
    /// @param time seconds since 1970, later than those before
    /// @param values one for each column
    void add(double time, float[] values) {
        put(next, time, values);
        next = (next + 1) % times.length;
        size = Math.min(size + 1, times.length);
    }

    /// Adds a row before the oldest, unless all are taken.
    ///
    /// @param time seconds since 1970, earlier than those after
    /// @param values one for each column
    void addFirst(double time, float[] values) {
        if (size < times.length) {
            size++;
            put(at(0), time, values);
        }
    }

    private void put(int at, double time, float[] values) {
        times[at] = time;
        for (int column = 0; column < columns.length; column++) {
            columns[column][at] = values[column];
        }
    }

    /// Forgets what a column holds, before it is used for something else.
    void clear(int column) {
        Arrays.fill(columns[column], Float.NaN);
    }

    int size() {
        return size;
    }

    /// @param row 0 for the oldest
    double time(int row) {
        return times[at(row)];
    }

    float value(int column, int row) {
        return columns[column][at(row)];
    }

    private int at(int row) {
        return (next - size + row + times.length) % times.length;
    }

    /// The first row that is not older than this; `size` where all are.
    int from(double time) {
        int row = 0;
        while (row < size && time(row) < time) {
            row++;
        }
        return row;
    }
}
