package dev.mawashi.settle;

import dev.mawashi.wire.TimeStyle;

/// Settings of retries beside the job and its class.
///
/// @param maxRetries of a job that says `retry: true`; Sidekiq's `max_retries`
/// @param backtraces how the app's Sidekiq writes them
/// @param times how it writes times, for jobs that hold none
public record RetryRules(int maxRetries, Backtraces backtraces, TimeStyle times) {
    public static final RetryRules DEFAULT = of(25, "");

    /// @param version of the app's sidekiq gem; "" for the API that Mawashi ships
    public static RetryRules of(int maxRetries, String version) {
        return new RetryRules(maxRetries, Backtraces.of(version), TimeStyle.ofGem(version));
    }

    /// A form of packed backtraces as text; each Sidekiq reads both.
    public enum Backtraces {
        /// Base64 in lines of 60 characters, up to 6.x.
        WRAPPED,
        /// Base64 in one line, from 7 on.
        STRICT;

        private static Backtraces of(String version) {
            return version.matches("[0-6]\\..*") ? WRAPPED : STRICT;
        }
    }
}
