package dev.mawashi.cli;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobJson;
import dev.mawashi.inspect.JobView;
import dev.mawashi.wire.JobSet;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Jobs as a table for people and as JSON lines for programs.
final class JobRows {
    private static final int ARGS_LENGTH = 40;
    private static final int CLASS_LENGTH = 40;
    private static final int ERROR_LENGTH = 60;

    private static final Pattern DEL_AND_C1 = Pattern.compile("[\\x{7f}-\\x{9f}]");

    private JobRows() {}

    /// A table of a set's entries, with the time when each is due or died.
    static String table(JobSet set, List<JobEntry> entries) {
        TextTable table =
                switch (set) {
                    case SCHEDULE -> TextTable.ofText("due", "queue", "jid", "class", "args");
                    case RETRY -> TextTable.ofText("next try", "queue", "jid", "class", "args");
                    case DEAD -> TextTable.ofText("died", "queue", "jid", "class", "args");
                };
        if (set != JobSet.SCHEDULE) {
            table.header("failures", "error");
        }
        for (JobEntry entry : entries) {
            JobView job = entry.job();
            String at = time(entry.at());
            String args = shown(job);
            if (set == JobSet.SCHEDULE) {
                table.row(at, job.queue(), job.jid(), name(job), args);
            } else {
                String error = error(job.error());
                table.row(at, job.queue(), job.jid(), name(job), args, failures(job), error);
            }
        }
        return table.toString();
    }

    /// A table of a queue's jobs.
    static String table(List<JobEntry> entries) {
        TextTable table = TextTable.ofText("enqueued", "jid", "class", "args");
        for (JobEntry entry : entries) {
            JobView job = entry.job();
            table.row(time(job.time("enqueued_at")), job.jid(), name(job), shown(job));
        }
        return table.toString();
    }

    private static String failures(JobView job) {
        return job.retryCount().isEmpty() ? "0" : Long.toString(job.retryCount().getAsInt() + 1L);
    }

    /// The job's class, or a note that the entry is no job.
    static String name(JobView job) {
        return job.problem() == null ? shortened(job.jobClass(), CLASS_LENGTH) : "(malformed)";
    }

    /// The job's arguments, or the beginning of an entry that is no job.
    static String shown(JobView job) {
        return shortened(job.problem() == null ? job.args() : job.raw(), ARGS_LENGTH);
    }

    /// An error on one line, also where its message has many.
    static String error(String text) {
        return shortened(text.strip().replaceAll("\\s*\\R\\s*", " "), ERROR_LENGTH);
    }

    static String shortened(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 3) + "...";
    }

    private static String time(Optional<Instant> time) {
        return time.map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString()).orElse("-");
    }

    /// One line of JSON for each entry.
    static String json(List<JobEntry> entries, boolean withBacktrace) {
        StringBuilder lines = new StringBuilder();
        for (JobEntry entry : entries) {
            lines.append(escaped(JobJson.row(entry, withBacktrace))).append('\n');
        }
        return lines.toString();
    }

    /// JSON needs no escape for DEL and the C1 control characters, but terminals obey them. In
    /// valid JSON these characters occur only inside strings.
    static String escaped(String json) {
        return DEL_AND_C1
                .matcher(json)
                .replaceAll(match -> "\\\\u%04x".formatted((int) match.group().charAt(0)));
    }
}
