package dev.mawashi.cli;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.operate.Progress;
import java.io.PrintWriter;
import java.util.List;

/// Shows the progress of a search while a person waits.
final class Search implements JobReader.Sink, AutoCloseable {
    private final ProgressBar bar;
    private long found;

    /// @param total how many jobs the search reads
    Search(PrintWriter err, Terminal terminal, long total) {
        bar = new ProgressBar(err, terminal.canWatch() && total > JobReader.PAGE, total);
    }

    @Override
    public int take(List<JobEntry> page, long looked) {
        found += page.size();
        bar.show(looked, TextTable.number(found) + " found");
        return 0;
    }

    /// The same for an act, which others hear of too.
    Progress and(Progress other) {
        return (sum, looked) -> {
            bar.show(looked, TextTable.number(sum.touched()) + " done");
            other.reached(sum, looked);
        };
    }

    @Override
    public void close() {
        bar.clear();
    }
}
