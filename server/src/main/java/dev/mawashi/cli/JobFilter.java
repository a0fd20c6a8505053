package dev.mawashi.cli;

import dev.mawashi.inspect.JobQuery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/// The flags that select jobs: a job must meet all that are given.
final class JobFilter {
    @Option(
            names = "--class",
            paramLabel = "NAME",
            description = "Jobs of this class; ActiveJob's by their own name.")
    private String jobClass = "";

    @Option(
            names = "--error",
            paramLabel = "TEXT",
            description = "Jobs whose last error's class or message contains this.")
    private String error = "";

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "Jobs whose arguments, as JSON, contain this.")
    private String text = "";

    @Option(names = "--jid", paramLabel = "JID", description = "The job with this id.")
    private List<String> jids = new ArrayList<>();

    /// @param queue the queue named in the payload; empty: any
    /// @param moreJids ids given as words
    JobQuery query(String queue, List<String> moreJids) {
        Set<String> all = new HashSet<>(jids);
        all.addAll(moreJids);
        return new JobQuery(all, jobClass, queue, error, text);
    }
}
