package dev.mawashi.children;

import java.util.List;

/// What the server does for its children.
public interface ChildServices {

    /// A process printed a line.
    ///
    /// @param pid of the child; 0 for the parent
    void printed(long pid, String line);

    /// Stores jobs that a job has enqueued.
    ///
    /// @throws RuntimeException when they could not be stored; its message reaches the job
    void enqueue(List<NewJob> jobs);

    /// Answers what a job asks of the state of an iterable job.
    ///
    /// @throws RuntimeException when it could not be done; its message reaches the job
    List<byte[]> iteration(List<byte[]> words);

    /// A job to be stored.
    ///
    /// @param due seconds since the epoch; 0 for at once
    record NewJob(String queue, byte[] payload, double due) {}
}
