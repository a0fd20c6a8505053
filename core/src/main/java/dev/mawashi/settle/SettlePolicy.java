package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import java.util.Optional;

/// Decides where a job goes after a run, or in place of one. Safe for any thread.
public interface SettlePolicy {

    /// @param app hears of a job that will not run again, with its payload; true from it means that
    ///   an exhausted job is to be discarded and not buried
    Settlement decide(Lease lease, Outcome outcome, GiveUpNotice app);

    /// The settlement of a claimed job that is not to begin, since its time is over; empty for all
    /// others.
    default Optional<Settlement> expired(Lease lease) {
        return Optional.empty();
    }
}
