package dev.mawashi.pages;

import dev.mawashi.inspect.FailureReader;
import dev.mawashi.inspect.JobQuery;
import java.util.List;

/// Resque's failed jobs, of one of its failure lists.
///
/// @param lists all lists, the common one first
/// @param list the one that is shown
/// @param found the newest first
/// @param looked how many a search has looked at; -1 without a search
/// @param next query of the page that goes on; "" at the end
public record FailedPage(
        Shell shell,
        List<Size> lists,
        Size list,
        JobQuery filter,
        List<FailureReader.Placed> found,
        long looked,
        String next) {
    public FailedPage {
        lists = List.copyOf(lists);
        found = List.copyOf(found);
    }

    /// A failure list.
    ///
    /// @param size records in it, those of jobs that were enqueued again too
    public record Size(String name, long size) {}

    /// The page of a record.
    public String pathOf(FailureReader.Placed placed) {
        return shell.section().path() + "/" + Links.segment(list.name()) + "/" + placed.place();
    }
}
