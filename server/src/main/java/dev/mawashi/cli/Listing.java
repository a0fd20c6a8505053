package dev.mawashi.cli;

import dev.mawashi.inspect.JobEntry;
import java.util.List;
import picocli.CommandLine.Option;

/// The flags of commands that list jobs.
final class Listing {
    private static final int ROWS_MAX = 10_000;

    @Option(names = "--limit", paramLabel = "N", description = "Show this many, 1 to 10000 (25).")
    private int limit = 25;

    @Option(
            names = "--json",
            description =
                    "One JSON object per line: jid, class, queue, args, at, created_at,"
                            + " enqueued_at, failed_at, retried_at, retry_count, error_class,"
                            + " error_message, tags, key, score, malformed, raw. Unknown values"
                            + " are null.")
    private boolean isJson;

    @Option(names = "--backtrace", description = "With --json: also backtrace, as lines.")
    private boolean withBacktrace;

    /// @throws WrongUse when it is out of range
    int limit() {
        if (limit < 1 || limit > ROWS_MAX) {
            throw new WrongUse("--limit " + limit + " is out of range: give 1 to " + ROWS_MAX);
        }
        return limit;
    }

    boolean isJson() {
        return isJson;
    }

    String json(List<JobEntry> entries) {
        return JobRows.json(entries, withBacktrace);
    }
}
