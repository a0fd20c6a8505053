package dev.mawashi.pages;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import java.util.List;

/// One entry of a set.
///
/// @param title of the set
public record JobPage(Shell shell, String title, JobEntry entry) {
    /// The arguments, each as JSON.
    public List<String> args() {
        String args = entry.job().args();
        try {
            return JsonElements.of(args);
        } catch (MalformedPayload _) {
            return args.isEmpty() ? List.of() : List.of(args);
        }
    }
}
