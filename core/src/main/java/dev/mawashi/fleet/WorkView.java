package dev.mawashi.fleet;

import dev.mawashi.inspect.JobView;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Redaction;
import java.time.Instant;
import java.util.Comparator;

/// A job that runs now, as its process said at its last beat.
///
/// @param identity the process, or the id of a worker of Resque's
/// @param job what the entry's payload says
public record WorkView(String identity, WorkEntry entry, JobView job) {
    /// Those whose begin is not known come first.
    public static final Comparator<WorkView> LONGEST_FIRST =
            Comparator.comparing(one -> one.entry().since().map(Instant::toEpochMilli).orElse(0L));

    static WorkView of(String identity, WorkEntry entry, Redaction redaction) {
        return new WorkView(identity, entry, JobView.of(entry.payload(), redaction));
    }

    /// For programs, the same on the command line and over HTTP. Without arguments where it is no
    /// job.
    public String json() {
        boolean isJob = job.problem() == null;
        return new JsonFields()
                .text("process", identity)
                .text("slot", entry.slot())
                .text("queue", entry.queue())
                .known("jid", job.jid())
                .known("run", entry.runId())
                .text("class", isJob ? job.jobClass() : "(malformed)")
                .json("args", isJob ? job.args() : "null")
                .time("since", entry.since())
                .known("runner", entry.place().runner())
                .known("thread", entry.place().thread())
                .json("pid", entry.place().pid() == 0 ? "null" : "" + entry.place().pid())
                .toString();
    }
}
