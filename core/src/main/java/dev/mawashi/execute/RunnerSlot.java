package dev.mawashi.execute;

import dev.mawashi.job.Outcome;

/// The place where one job at a time runs.
public interface RunnerSlot extends AutoCloseable {

    /// Runs one attempt of a job and says what came of it. Never throws for what the job or its
    /// payload does.
    ///
    /// @param queue name of the queue it was claimed from, without prefix
    /// @param payload the job's exact bytes; not changed and not kept
    Outcome run(String queue, byte[] payload);

    /// Asks the job that is running now to end, from another thread: Ruby code sees
    /// `Sidekiq::Shutdown` raised, Java code an interrupt. Does nothing when the slot is idle. The
    /// run then ends as `Interrupted`, unless the job finished first or will not listen.
    void interrupt();

    /// Gives back what the slot holds; called by the slot's own thread after its last run.
    @Override
    void close();
}
