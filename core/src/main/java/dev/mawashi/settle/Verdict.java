package dev.mawashi.settle;

import dev.mawashi.broker.Settlement;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import java.time.Duration;

/// The decision about a finished run, before app and log hear of it.
sealed interface Verdict {

    /// Nobody need hear of it.
    record Quietly(Settlement settlement) implements Verdict {}

    /// It was deleted while it ran.
    record Cancelled() implements Verdict {}

    /// No run could ever use it.
    record Unreadable(String reason) implements Verdict {}

    /// It runs again.
    ///
    /// @param payload with what is known of the failure
    record Again(Outcome.Failed failed, byte[] payload, Duration delay) implements Verdict {}

    /// It did not begin, and waits for a server that can run it.
    ///
    /// @param payload says why
    record Held(byte[] payload, String reason) implements Verdict {}

    /// It does not run again.
    ///
    /// @param payload with what is known of the failure
    /// @param reason for the log
    record Never(Outcome.Failed failed, byte[] payload, GiveUp how, String reason)
            implements Verdict {}
}
