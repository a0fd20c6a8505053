package dev.mawashi.job;

import java.util.List;
import java.util.Objects;

/// The outcome of one run of a job. A run ends in one of these values, never in an exception.
public sealed interface Outcome {

    /// `perform` returned.
    record Succeeded() implements Outcome {}

    /// `perform`, its middleware or the lookup of its class raised.
    ///
    /// @param errorClass name of the raised class, as Ruby or Java spells it
    /// @param message the error's message; may hold anything, `settle` shortens and cleans it
    /// @param backtrace lines from the innermost frame outwards; empty when there is none
    /// @param hint what the job class wants done about the failure
    record Failed(String errorClass, String message, List<String> backtrace, RetryHint hint)
            implements Outcome {
        public Failed {
            Objects.requireNonNull(errorClass, "errorClass");
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(hint, "hint");
            backtrace = List.copyOf(backtrace);
        }

        /// A failure about which the job class has no say.
        public Failed(String errorClass, String message, List<String> backtrace) {
            this(errorClass, message, backtrace, RetryHint.NONE);
        }
    }

    /// The payload is not a job: no JSON object, or one that no run could ever use. Its bytes go to
    /// the dead set as they are.
    ///
    /// @param reason one sentence for the operator
    record Malformed(String reason) implements Outcome {
        public Malformed {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /// The run was cut short by the server's stop; the job did nothing wrong and runs again.
    record Interrupted() implements Outcome {}

    /// An operator has cancelled the job, which did not succeed before it heard of that. It is gone
    /// and runs no more.
    record Cancelled() implements Outcome {}

    /// The one success, shared: the hot path makes no object for it.
    Outcome SUCCEEDED = new Succeeded();

    /// The one interruption, shared.
    Outcome INTERRUPTED = new Interrupted();

    /// The one cancellation, shared.
    Outcome CANCELLED = new Cancelled();
}
