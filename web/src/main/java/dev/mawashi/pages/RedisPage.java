package dev.mawashi.pages;

import dev.mawashi.redisfacts.RedisFacts;
import java.util.Locale;

/// The facts of Redis.
public record RedisPage(Shell shell, RedisFacts facts) {
    private static final double NANOS_A_MILLI = 1e6;
    private static final double MICROS_A_MILLI = 1e3;
    private static final double BYTES_A_KILOBYTE = 1_000;
    private static final double BYTES_A_MEGABYTE = 1e6;
    private static final double PERCENT = 100;

    /// `0.12 ms`.
    public static String nanos(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / NANOS_A_MILLI);
    }

    /// `12.3 ms`.
    public static String micros(long micros) {
        return String.format(Locale.ROOT, "%,.1f ms", micros / MICROS_A_MILLI);
    }

    /// `1.2 MB`, `12.3 kB`.
    public static String bytes(long bytes) {
        if (bytes < BYTES_A_MEGABYTE / 10) {
            return String.format(Locale.ROOT, "%.1f kB", bytes / BYTES_A_KILOBYTE);
        }
        return String.format(Locale.ROOT, "%,.1f MB", bytes / BYTES_A_MEGABYTE);
    }

    /// `97.5 %`, or "" before the first read.
    public String hitRate() {
        double rate = facts.load().hitRate();
        return rate < 0 ? "" : String.format(Locale.ROOT, "%.1f %%", rate * PERCENT);
    }

    /// `1.08`, or "" where Redis does not say.
    public String fragmentation() {
        double times = facts.memory().fragmentation();
        return times == 0 ? "" : String.format(Locale.ROOT, "%.2f", times);
    }

    /// Bytes that it may use; 0 for no limit, and where it does not report it.
    public long limit() {
        Long limit = facts.durability().maxmemory();
        return limit == null ? 0 : limit;
    }
}
