package dev.mawashi.children;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The server's services for its children.
public interface ChildServices {

    /// A process wrote lines to its standard output.
    ///
    /// @param lines good until this returns
    void wrote(byte[] lines, int length);

    /// A process printed a line to its standard error.
    ///
    /// @param pid of the child; 0 for the parent
    /// @param jid of the job that ran in it; null where it runs several
    void printed(long pid, @Nullable String jid, String line);

    /// Stores what several jobs have enqueued.
    ///
    /// @return for each of them "", or why what it enqueued could not be stored
    /// @throws RuntimeException when one of them makes no sense; nothing is stored then
    List<String> enqueue(List<List<NewJob>> requests);

    /// Answers what a job asks of the state of an iterable job.
    ///
    /// @throws RuntimeException when it could not be done; its message reaches the job
    List<byte[]> iteration(List<byte[]> words);

    /// A job to be stored.
    ///
    /// @param due seconds since the epoch; 0 for at once
    record NewJob(String queue, byte[] payload, double due) {}
}
