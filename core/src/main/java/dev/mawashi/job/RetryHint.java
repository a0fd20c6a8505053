package dev.mawashi.job;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The wish of a job's class after a failure, for payloads that leave it open.
///
/// @param retry the class's `retry` option, used only when the payload has no `retry` field
/// @param delaySeconds what `sidekiq_retry_in` answered, when that is a positive number of seconds
/// @param verdict `DISCARD` or `KILL` when `sidekiq_retry_in` answered `:discard` or `:kill`;
///   `HOLD` when the job did not begin, since it asks for what this server does not have
public record RetryHint(Retry retry, OptionalLong delaySeconds, Verdict verdict) {

    /// No wish at all: the payload and the server's defaults decide.
    public static final RetryHint NONE =
            new RetryHint(Retry.DEFAULT, OptionalLong.empty(), Verdict.RETRY);

    public RetryHint {
        Objects.requireNonNull(retry, "retry");
        Objects.requireNonNull(delaySeconds, "delaySeconds");
        Objects.requireNonNull(verdict, "verdict");
    }

    /// An answer of a class instead of a delay.
    public enum Verdict {
        RETRY,
        DISCARD,
        KILL,
        HOLD
    }

    /// The job did not begin: it asks for what this server does not have.
    public static final RetryHint HELD =
            new RetryHint(Retry.DEFAULT, OptionalLong.empty(), Verdict.HOLD);

    /// A `retry` option: off, on with the server's limit, or on with a limit of its own.
    ///
    /// @param isOn false for `retry: false`
    /// @param limit most retries after the first run; empty means the server's `max_retries`
    public record Retry(boolean isOn, OptionalInt limit) {
        public static final Retry DEFAULT = new Retry(true, OptionalInt.empty());
        public static final Retry OFF = new Retry(false, OptionalInt.empty());

        public Retry {
            Objects.requireNonNull(limit, "limit");
        }

        /// `retry: n`; 0 means that the first failure is the last.
        public static Retry upTo(int limit) {
            return new Retry(true, OptionalInt.of(limit));
        }
    }
}
