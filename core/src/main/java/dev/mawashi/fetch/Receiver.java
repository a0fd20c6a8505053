package dev.mawashi.fetch;

import dev.mawashi.broker.Lease;

/// Receives the jobs that arrive for a capsule while it parks. Called on any thread: the one that
/// heard of the job, since it would take as long again to wake another and to claim the job.
///
/// Redis has put such a job among the arrivals of this process, and is not asked again before it
/// runs. This process notes by `onBegun` that it runs; Redis gets to know with the next
/// settlements, by `Settlement.ARRIVED`. If the process dies in between, the job is recovered from
/// the arrivals.
public interface Receiver {
    /// Has a job run that arrived, and sees to its being in flight, if a slot is idle; else the job
    /// is left to the next claim.
    ///
    /// @param onBegun to be called, if the job is to run, before it can
    /// @return whether it runs
    boolean begin(Lease lease, Runnable onBegun);

    /// A job arrived. It has begun, or is left to the next claim.
    void arrived();
}
