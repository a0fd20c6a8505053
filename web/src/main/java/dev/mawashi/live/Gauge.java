package dev.mawashi.live;

import java.util.Locale;

/// A figure of the whole fleet in a sample, in the order of its columns.
enum Gauge {
    /// Runs per second that went well, and that failed.
    OK(0),
    FAILED(1),
    /// Jobs.
    ENQUEUED(2),
    BUSY(3),
    RETRIES(4),
    SCHEDULED(5),
    DEAD(6);

    static final int COUNT = values().length;

    private final int column;

    Gauge(int column) {
        this.column = column;
    }

    /// A rate goes into a minute as its mean, anything else as its highest value.
    static boolean isRate(int column) {
        return column == OK.column || column == FAILED.column;
    }

    int column() {
        return column;
    }

    /// As in JSON.
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
