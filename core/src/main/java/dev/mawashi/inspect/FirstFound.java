package dev.mawashi.inspect;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/// The first jobs, in a given order, of a search that finds them in none: as many as are wanted and
/// fit into this process. Where they do not fit it keeps fewer, and none that comes after one that
/// it left out.
final class FirstFound {
    private final TreeSet<JobEntry> first;
    private final int most;
    private final long bytesMax;
    private long bytes;
    private boolean isFull;

    /// @param most of them
    /// @param bytesMax of their payloads; one is kept whatever its size
    FirstFound(Comparator<JobEntry> order, int most, long bytesMax) {
        first = new TreeSet<>(order);
        this.most = most;
        this.bytesMax = bytesMax;
    }

    void add(JobEntry entry) {
        if (isFull && first.comparator().compare(entry, first.last()) > 0) {
            return;
        }
        if (first.add(entry)) {
            bytes += size(entry);
        }
        while (first.size() > 1 && (first.size() > most || bytes > bytesMax)) {
            bytes -= size(first.removeLast());
            isFull = true;
        }
    }

    private static long size(JobEntry entry) {
        return entry.job().payload().length;
    }

    /// The jobs kept, in their order.
    List<JobEntry> entries() {
        return List.copyOf(first);
    }
}
