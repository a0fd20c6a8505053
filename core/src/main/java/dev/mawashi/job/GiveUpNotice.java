package dev.mawashi.job;

/// Takes the news that a job which failed will not run again.
@FunctionalInterface
public interface GiveUpNotice {
    /// @param payload the job with what is known of its failure
    /// @return true when an `EXHAUSTED` job is to be discarded and not buried
    boolean giveUp(byte[] payload, GiveUp reason);
}
