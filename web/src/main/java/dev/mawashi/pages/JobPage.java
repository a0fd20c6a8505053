package dev.mawashi.pages;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.wire.JobSet;
import java.util.List;

/// One entry of a set.
///
/// @param title of the set
public record JobPage(Shell shell, JobSet set, String title, JobEntry entry) {
    /// What is known of its runs, in the order in which they come.
    public List<Attempt> attempts() {
        return Attempt.of(entry, set);
    }

    public List<Frames> backtrace() {
        return Frames.of(entry.job().backtrace());
    }

    /// The payload as it is in Redis, cut where it is long.
    public String raw() {
        return ShownArgs.cut(entry.job().raw());
    }

    /// Whether the page shows less than there is, all of which `payloadPath` has.
    public boolean isCut() {
        return entry.job().isCut() || entry.job().raw().length() > ShownArgs.CHARS_MAX;
    }

    public String payloadPath() {
        return shell.section().path() + "/" + Links.segment(Links.key(entry)) + "/payload";
    }

    /// The arguments, each as JSON over several lines.
    public List<String> args() {
        return ShownArgs.of(entry.job().args());
    }
}
