package dev.mawashi.job;

import java.util.Optional;

/// Takes the news of a job that failed.
@FunctionalInterface
public interface GiveUpNotice {
    /// Reports that the job will not run again.
    ///
    /// @param payload the job with what is known of its failure
    /// @return the job as it is to be buried, which the app may have changed; empty when it is to
    ///   be discarded. Counts for `EXHAUSTED` jobs alone
    Optional<byte[]> giveUp(byte[] payload, GiveUp reason);

    /// Reports that the job failed, before any other report.
    ///
    /// @param payload the job with what is known of its failure
    /// @return true when it is news to the app, since none of its code has seen the run end
    default boolean failed(byte[] payload) {
        return false;
    }
}
