package dev.mawashi.cli;

import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.inspect.TimeRange;
import java.time.Instant;
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

    @Option(names = "--tag", paramLabel = "TAG", description = "Jobs that have this tag.")
    private String tag = "";

    @Option(
            names = "--older",
            paramLabel = "TIME",
            description = "Jobs created longer ago: 90, 90s, 15m, 2h or 1d; or before a time.")
    private String older = "";

    @Option(
            names = "--newer",
            paramLabel = "TIME",
            description = "Jobs created since, written as with --older.")
    private String newer = "";

    /// @param moreJids ids given as words
    /// @throws WrongUse when a time is none
    JobQuery ofQueue(List<String> moreJids, Instant now) {
        return query("", moreJids, TimeRange.ALL, now);
    }

    /// @param set flags that only jobs of sets have
    /// @param moreJids ids given as words
    /// @throws WrongUse when a time is none
    JobQuery ofSet(SetFilter set, List<String> moreJids, Instant now) {
        return query(set.queue(), moreJids, set.due(now), now);
    }

    private JobQuery query(String queue, List<String> moreJids, TimeRange due, Instant now) {
        Set<String> all = new HashSet<>(jids);
        all.addAll(moreJids);
        try {
            TimeRange made = QueryFields.made(newer, older, now);
            return new JobQuery(all, jobClass, queue, error, text, tag, made, due);
        } catch (QueryFields.NoTime wrong) {
            throw new WrongUse("--" + wrong.getMessage());
        }
    }
}
