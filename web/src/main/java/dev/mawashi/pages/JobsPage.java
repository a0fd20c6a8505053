package dev.mawashi.pages;

import dev.mawashi.inspect.JobEntry;
import java.util.List;

/// Jobs of a queue or a set.
///
/// @param title of the page
/// @param path of the page
/// @param isSet whether it is a sorted set, whose entries have a time and a page of their own
/// @param size all that there are
/// @param found those to show
/// @param looked how many a search has looked at; -1 without a search
/// @param next query of the page that goes on; "" at the end
/// @param previous query of the page before; "" where there is none
public record JobsPage(
        Shell shell,
        String title,
        String path,
        boolean isSet,
        long size,
        Filter filter,
        List<JobEntry> found,
        long looked,
        String next,
        String previous) {
    public JobsPage {
        found = List.copyOf(found);
    }

    /// What is asked for; each may be empty.
    public record Filter(String jobClass, String queue, String error, String text, String jid) {
        public boolean isEmpty() {
            return (jobClass + queue + error + text + jid).isEmpty();
        }
    }

    /// The page of an entry of a set.
    public String pathOf(JobEntry entry) {
        return path + "/" + Links.segment(Links.key(entry));
    }
}
