package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;

/// Decides where a job goes after a run. Safe for any thread.
public interface SettlePolicy {

    /// @param app hears of a job that will not run again, with its payload; true from it means that
    ///   an exhausted job is to be discarded and not buried
    Settlement decide(Lease lease, Outcome outcome, GiveUpNotice app);
}
