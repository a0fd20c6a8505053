package dev.mawashi.inspect;

import dev.mawashi.wire.JsonFields;
import java.util.List;

/// Jobs as JSON, the same on the command line and over HTTP. What is not known is `null`, and so
/// are the arguments of a large job, of which `bytes` says how large it is.
public final class JobJson {
    /// In lists, of an entry that is no job.
    private static final int RAW_LENGTH = 1_000;

    private static final List<String> TIMES =
            List.of("created_at", "enqueued_at", "failed_at", "retried_at");

    private JobJson() {}

    /// A job in a list.
    ///
    /// @param withBacktrace also the lines of the last error's backtrace
    public static String row(JobEntry whole, boolean withBacktrace) {
        JobEntry entry = whole.shown();
        JobView job = entry.job();
        JsonFields fields = fields(entry);
        fields.text("raw", job.problem() == null ? null : cut(job.raw()));
        return (withBacktrace ? fields.texts("backtrace", job.backtrace()) : fields).toString();
    }

    /// All of a job, with its payload as it is in Redis, unless that is large.
    public static String whole(JobEntry whole) {
        JobEntry entry = whole.shown();
        return fields(entry)
                .text("raw", entry.job().isCut() ? null : entry.job().raw())
                .texts("backtrace", entry.job().backtrace())
                .toString();
    }

    private static JsonFields fields(JobEntry entry) {
        JobView job = entry.job();
        JsonFields fields = new JsonFields().known("jid", job.jid()).known("class", job.jobClass());
        fields.known("queue", job.queue());
        fields.json("args", (job.problem() == null && !job.isCut()) ? job.args() : "null");
        if (job.isCut()) {
            fields.number("bytes", job.size());
        }
        fields.time("at", entry.at());
        TIMES.forEach(name -> fields.time(name, job.time(name)));
        int retries = job.retryCount().orElse(-1);
        fields.json("retry_count", job.retryCount().isEmpty() ? "null" : "" + retries);
        fields.known("error_class", job.plain("error_class"));
        fields.known("error_message", job.plain("error_message"));
        fields.texts("tags", job.tags());
        fields.text("key", entry.isOfSet() ? EntryKey.of(entry).toString() : null);
        fields.json("score", score(entry));
        return fields.known("malformed", job.problem());
    }

    private static String score(JobEntry entry) {
        boolean isNumber = entry.isOfSet() && !Double.isInfinite(entry.score());
        return isNumber ? EntryKey.score(entry.score()) : "null";
    }

    private static String cut(String raw) {
        return raw.length() <= RAW_LENGTH ? raw : raw.substring(0, RAW_LENGTH - 3) + "...";
    }
}
