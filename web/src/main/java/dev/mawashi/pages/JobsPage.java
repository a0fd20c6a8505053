package dev.mawashi.pages;

import dev.mawashi.inspect.JobEntry;
import java.util.List;
import java.util.Map;

/// Jobs of a queue or a set.
///
/// @param title of the page
/// @param path of the page
/// @param isSet whether it is a sorted set, whose entries have a time and a page of their own
/// @param size all that there are
/// @param fields of the filter that are given, by name
/// @param found those to show
/// @param next query of the page that goes on; "" at the end
/// @param previous query of the page before; "" where there is none
/// @param here the fields of this page's own query
/// @param isPaused whether it is a queue that is paused
public record JobsPage(
        Shell shell,
        String title,
        String path,
        boolean isSet,
        long size,
        Map<String, String> fields,
        List<JobEntry> found,
        Progress progress,
        String next,
        String previous,
        Map<String, String> here,
        boolean isPaused) {
    private static final List<String> FURTHER =
            List.of("jid", "tag", "older", "newer", "after", "before");

    public JobsPage {
        found = List.copyOf(found);
        here = Map.copyOf(here);
    }

    /// The progress of a search.
    ///
    /// @param isSearch whether there is one
    /// @param found all that it has found so far, on pages before too
    /// @param looked how many jobs it has looked at
    /// @param among how many there are to look at
    public record Progress(boolean isSearch, long found, long looked, long among) {
        /// Full percents; 100 only at the end.
        public long percent() {
            return among == 0 ? 100 : Math.min(100, looked * 100 / among);
        }
    }

    /// What is asked for; "" when it is not.
    public String field(String name) {
        return fields.getOrDefault(name, "");
    }

    /// Whether one of the fields that are folded away is given.
    public boolean hasFurtherFields() {
        return FURTHER.stream().anyMatch(fields::containsKey);
    }

    /// What the time of an entry says, as a verb.
    public String timeWord() {
        return switch (shell.section()) {
            case DEAD -> "Died";
            case RETRIES -> "Next try";
            default -> "Due";
        };
    }

    /// Whether the reader may do anything to what is shown.
    public boolean isActedOn() {
        return shell.mayOperate() && !found.isEmpty();
    }

    /// What a row's box says is chosen.
    public String keyOf(JobEntry entry) {
        return isSet ? Links.key(entry) : Links.rowKey(entry);
    }

    /// Where acts of this page go.
    public String api() {
        return "/api/v1" + path + "/";
    }

    /// The page of an entry of a set.
    public String pathOf(JobEntry entry) {
        return path + "/" + Links.segment(Links.key(entry));
    }
}
