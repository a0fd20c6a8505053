package dev.mawashi.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Limits of a restart.
///
/// @param bootLimit longest time until new code can run jobs
/// @param oldLimit how long runs may go on after that on old code; null for no limit
/// @param memoryMib with less free memory none begins; null for any
/// @param origins where they came from, by their keys in `config/mawashi.yml`
public record RestartChoice(
        Duration bootLimit,
        @Nullable Duration oldLimit,
        @Nullable Integer memoryMib,
        Origins origins) {
    public static final RestartChoice DEFAULT =
            new RestartChoice(Duration.ofMinutes(5), null, null);

    /// Limits that came from nowhere in particular.
    public RestartChoice(
            Duration bootLimit, @Nullable Duration oldLimit, @Nullable Integer memoryMib) {
        this(bootLimit, oldLimit, memoryMib, Origins.NONE);
    }
}
