package dev.mawashi.settle;

/// What retries depend on beside the job and its class.
///
/// @param maxRetries of a job that says `retry: true`; Sidekiq's `max_retries`
/// @param backtraces how the app's Sidekiq writes them
public record RetryRules(int maxRetries, Backtraces backtraces) {
    public static final RetryRules DEFAULT = new RetryRules(25, Backtraces.STRICT);

    /// How packed backtraces are written as text; each Sidekiq reads both.
    public enum Backtraces {
        /// Base64 in lines of 60 characters, up to 6.x.
        WRAPPED,
        /// Base64 in one line, from 7 on.
        STRICT;

        /// @param version of the sidekiq gem; "" for the API that Mawashi ships
        public static Backtraces of(String version) {
            return version.matches("[0-6]\\..*") ? WRAPPED : STRICT;
        }
    }
}
