package dev.mawashi.job;

/// Takes the news of a job that failed.
@FunctionalInterface
public interface GiveUpNotice {
    /// Tells that the job will not run again.
    ///
    /// @param payload the job with what is known of its failure
    /// @return true when an `EXHAUSTED` job is to be discarded and not buried
    boolean giveUp(byte[] payload, GiveUp reason);

    /// Tells that the job failed, before anything else is told.
    ///
    /// @param payload the job with what is known of its failure
    /// @return true when it is news to the app, since none of its code has seen the run end
    default boolean failed(byte[] payload) {
        return false;
    }
}
