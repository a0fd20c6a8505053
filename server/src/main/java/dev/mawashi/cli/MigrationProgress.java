package dev.mawashi.cli;

import dev.mawashi.migrate.Ends;
import dev.mawashi.migrate.Left;
import dev.mawashi.migrate.Migration;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Shows how far a migration has come, and why it waits.
final class MigrationProgress implements Migration.Progress, AutoCloseable {
    private final PrintWriter err;
    private final ProgressBar bar;
    private final Ends ends;
    private final Map<String, Long> moved = new HashMap<>();
    private @Nullable Left last;
    private long sum;

    /// @param total how many jobs there were at first
    MigrationProgress(PrintWriter err, boolean isWatched, Ends ends, long total) {
        this.err = err;
        this.ends = ends;
        bar = new ProgressBar(err, isWatched, total);
    }

    @Override
    public void moved(String place, long jobs) {
        long before = jobs > moved.getOrDefault(place, 0L) ? moved.getOrDefault(place, 0L) : 0;
        sum += jobs - before;
        moved.put(place, jobs);
        bar.show(sum, TextTable.printable(place));
    }

    /// One line at each change, not at each look.
    @Override
    public void waits(Left left) {
        if (left.equals(last)) {
            return;
        }
        last = left;
        bar.clear();
        err.println(
                "waiting for %s: processes %s, jobs in hand %s, other jobs %s (stop its processes; Ctrl-C ends this)"
                        .formatted(
                                ends.names().from(),
                                left.processes(),
                                left.inFlight(),
                                left.waiting()));
    }

    @Override
    public void close() {
        bar.clear();
    }
}
