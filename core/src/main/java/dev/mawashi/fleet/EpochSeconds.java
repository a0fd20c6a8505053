package dev.mawashi.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Times as Sidekiq writes them into records: seconds since 1970, with a fraction.
final class EpochSeconds {
    /// Times of the next ten thousand years; what lies beyond is none.
    private static final double MAX = 1e12;

    private EpochSeconds() {}

    static String write(Instant time) {
        return String.format(Locale.ROOT, "%d.%06d", time.getEpochSecond(), time.getNano() / 1_000);
    }

    /// Reads a time to the millisecond.
    ///
    /// @return empty when it is none
    static Optional<Instant> read(@Nullable String seconds) {
        try {
            double value = seconds == null ? Double.NaN : Double.parseDouble(seconds);
            return Math.abs(value) < MAX
                    ? Optional.of(Instant.ofEpochMilli(Math.round(value * 1_000)))
                    : Optional.empty();
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// How long ago a time was; never below zero, and zero where it is not known.
    static Duration since(Optional<Instant> time, Instant now) {
        long millis = time.map(at -> now.toEpochMilli() - at.toEpochMilli()).orElse(0L);
        return Duration.ofMillis(Math.max(0, millis));
    }
}
