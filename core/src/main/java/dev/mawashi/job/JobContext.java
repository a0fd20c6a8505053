package dev.mawashi.job;

/// The run of a Java job, for jobs whose `perform` has a first parameter of this type.
public interface JobContext {

    /// The job's id, the same in each of its runs; "" when its payload has none.
    String jid();

    /// The queue that it was taken from.
    String queue();

    /// Whether the server begins no more jobs, since it is about to stop. A long job may then save
    /// where it is and throw; once the time for running jobs is over, its thread is interrupted.
    boolean isStopping();
}
