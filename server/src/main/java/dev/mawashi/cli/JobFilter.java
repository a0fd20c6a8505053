package dev.mawashi.cli;

import dev.mawashi.operate.Selection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/// The flags that select jobs: a job must meet all that are given.
final class JobFilter {
    static final String FLAGS = "--class, --error, --text, --jid, --tag, --older, --newer";

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
    Selection ofQueue(List<String> moreJids, Instant now) {
        return JobChoice.selected(fields(moreJids), now);
    }

    /// @param set flags that only jobs of sets have
    /// @param moreJids ids given as words
    /// @throws WrongUse when a time is none
    Selection ofSet(SetFilter set, List<String> moreJids, Instant now) {
        Map<String, List<String>> fields = fields(moreJids);
        fields.putAll(set.fields());
        return JobChoice.selected(fields, now);
    }

    private Map<String, List<String>> fields(List<String> moreJids) {
        List<String> all = new ArrayList<>(jids);
        all.addAll(moreJids);
        Map<String, List<String>> fields = new HashMap<>();
        fields.put("class", List.of(jobClass));
        fields.put("error", List.of(error));
        fields.put("text", List.of(text));
        fields.put("jid", all);
        fields.put("tag", List.of(tag));
        fields.put("older", List.of(older));
        fields.put("newer", List.of(newer));
        return fields;
    }
}
