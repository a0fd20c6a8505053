package dev.mawashi.fleet;

import dev.mawashi.inspect.JobView;
import dev.mawashi.wire.JsonFields;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/// A job that runs now, as its process said at its last beat.
///
/// @param identity the process, or the id of a worker of Resque's
/// @param slot the process's name for the place where it runs; empty for a worker, which has one
/// @param queue the queue it was taken from
/// @param since when the run began
/// @param place where in the process it runs
/// @param runId what `mawashi cancel` knows it by when it has no jid; empty for any other
public record WorkView(
        String identity,
        String slot,
        String queue,
        JobView job,
        Optional<Instant> since,
        WorkEntry.Place place,
        String runId) {
    /// Those whose begin is not known come first.
    public static final Comparator<WorkView> LONGEST_FIRST =
            Comparator.comparing(one -> one.since().map(Instant::toEpochMilli).orElse(0L));

    static WorkView of(String identity, WorkEntry entry) {
        return new WorkView(
                identity,
                entry.slot(),
                entry.queue(),
                JobView.of(entry.payload()),
                entry.since(),
                entry.place(),
                entry.runId());
    }

    /// For programs, the same on the command line and over HTTP. Without arguments where it is no
    /// job.
    public String json() {
        boolean isJob = job.problem() == null;
        return new JsonFields()
                .text("process", identity)
                .text("slot", slot)
                .text("queue", queue)
                .text("jid", job.jid())
                .known("run", runId)
                .text("class", isJob ? job.jobClass() : "(malformed)")
                .json("args", isJob ? job.args() : "null")
                .time("since", since)
                .known("runner", place.runner())
                .known("thread", place.thread())
                .json("pid", place.pid() == 0 ? "null" : "" + place.pid())
                .toString();
    }
}
