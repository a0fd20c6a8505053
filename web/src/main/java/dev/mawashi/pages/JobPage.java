package dev.mawashi.pages;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
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

    /// The arguments, each as JSON over several lines.
    public List<String> args() {
        String args = entry.job().args();
        try {
            return JsonElements.of(args).stream().map(IndentedJson::of).toList();
        } catch (MalformedPayload _) {
            return args.isEmpty() ? List.of() : List.of(args);
        }
    }
}
