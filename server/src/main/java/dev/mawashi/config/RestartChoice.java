package dev.mawashi.config;

import java.time.Duration;

/// Limits of a restart.
///
/// @param bootLimit longest time until new code can run jobs
public record RestartChoice(Duration bootLimit) {
    public static final RestartChoice DEFAULT = new RestartChoice(Duration.ofMinutes(5));
}
