package dev.mawashi.alarm;

import java.time.Duration;

/// The most of a figure in its first ten minutes, by which later values are judged. One thread's.
final class Beginning {
    /// Caches, pools and threads of the app have come by then.
    private static final Duration TIME = Duration.ofMinutes(10);

    /// Twice as many threads as then are no pool that filled; so many more, in a small process.
    private static final int THREADS_FACTOR = 2;

    private static final int THREADS_MORE = 100;

    private final Duration first;
    private long most;

    /// @param first when the figure began
    Beginning(Duration first) {
        this.first = first;
    }

    /// Takes the newest value.
    ///
    /// @return whether the first ten minutes are over, so that it may be judged
    boolean add(Duration at, long value) {
        if (at.minus(first).compareTo(TIME) >= 0) {
            return true;
        }
        most = Math.max(most, value);
        return false;
    }

    /// Takes the newest number of threads.
    ///
    /// @return whether so many are a leak
    boolean isThreadLeak(Duration at, long threads) {
        return add(at, threads) && threads > THREADS_FACTOR * most + THREADS_MORE;
    }

    long most() {
        return most;
    }

    /// The value and the one that it is judged by, for people.
    ///
    /// @param unit begins with a space; "" for none
    static String figure(long value, String unit, long before) {
        return "%s%s, in the first %s minutes at most %s"
                .formatted(value, unit, TIME.toMinutes(), before);
    }
}
