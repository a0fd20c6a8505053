package dev.mawashi.dispatch;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.event.Listener;
import dev.mawashi.execute.Tracing;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.settle.SettlePolicy;
import dev.mawashi.settle.Settler;
import org.jspecify.annotations.Nullable;

/// The parts that run claimed jobs and settle them.
///
/// @param tallies what counts the runs by class, the same for all capsules
/// @param cancelled the same for all capsules
/// @param tracing null where nobody traces runs
public record RunParts(
        SettlePolicy policy,
        Settler settler,
        Epoch epoch,
        Listener listener,
        RunTallies tallies,
        Cancelled cancelled,
        @Nullable Tracing tracing) {

    /// Parts for runs that nobody traces.
    public RunParts(
            SettlePolicy policy,
            Settler settler,
            Epoch epoch,
            Listener listener,
            RunTallies tallies,
            Cancelled cancelled) {
        this(policy, settler, epoch, listener, tallies, cancelled, null);
    }

    /// Hands a job to the settler by what came of its run. One that is cancelled and did not
    /// succeed is over, however it ended.
    ///
    /// @param notice by which the app hears of its end
    void settle(Lease lease, Outcome outcome, GiveUpNotice notice) {
        Outcome judged = cancelled.judge(lease, outcome);
        settler.settle(lease, policy.decide(lease, judged, notice));
        cancelled.settled(lease, judged);
    }
}
