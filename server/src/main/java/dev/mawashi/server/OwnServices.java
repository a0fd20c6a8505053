package dev.mawashi.server;

import dev.mawashi.children.ChildServices;
import dev.mawashi.client.IterationStates;
import dev.mawashi.client.JobSink;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The server's services for the processes that run its jobs.
record OwnServices(JobSink sink, IterationStates iterations) implements ChildServices {
    /// For lines of the app, which the level of the server's own does not hold back.
    private static final System.Logger PRINTED = System.getLogger("app");

    private static final StandardOutput OUTPUT = new StandardOutput();

    @Override
    public void wrote(byte[] lines, int length) {
        OUTPUT.write(lines, length);
    }

    @Override
    public void printed(long pid, @Nullable String jid, String line) {
        PRINTED.log(Level.INFO, "{0}", new ChildLine(pid, jid, line));
    }

    @Override
    public List<String> enqueue(List<List<NewJob>> requests) {
        List<List<dev.mawashi.client.NewJob>> callers =
                requests.stream()
                        .map(jobs -> jobs.stream().map(OwnServices::job).toList())
                        .toList();
        return sink.enqueueEach(callers).stream()
                .map(refusal -> refusal == null ? "" : String.valueOf(refusal.getMessage()))
                .toList();
    }

    @Override
    public List<byte[]> iteration(List<byte[]> words) {
        return iterations.ask(words);
    }

    private static dev.mawashi.client.NewJob job(NewJob job) {
        return new dev.mawashi.client.NewJob(
                job.queue(),
                job.payload(),
                job.due() == 0 ? null : dev.mawashi.client.NewJob.moment(job.due()));
    }
}
