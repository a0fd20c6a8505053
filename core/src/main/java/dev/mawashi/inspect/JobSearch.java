package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JobSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// Searches a set or a queue in parts, in the order in which they are listed, so that nobody waits
/// for all of a large one. One thread's.
public final class JobSearch {
    /// A part ends after so many bytes of jobs found.
    private static final long BYTES_MAX = 4 << 20;

    /// Entries that are read first; then more, as long as they are small.
    private static final int FIRST_PAGE = 100;

    private final RedisConnection connection;
    private final JobReader reader;

    public JobSearch(RedisConnection connection) {
        this.connection = connection;
        reader = new JobReader(connection, JobReader.PAGE_BYTES);
    }

    /// A part of a search.
    ///
    /// @param looked how many entries were looked at from the search's beginning to this part's end
    /// @param size how many there are to look at, as of now
    /// @param next where the next part begins; "" at the end
    public record Part(List<JobEntry> found, long looked, long size, String next) {
        public Part {
            found = List.copyOf(found);
        }
    }

    /// The limit of a part of a search.
    ///
    /// @param most jobs found, at least 1
    /// @param isLate asked after each page
    public record Limit(int most, BooleanSupplier isLate) {}

    /// Searches a set.
    ///
    /// @param place where the last part says that the next begins; any other text for the beginning
    public Part search(JobSet set, JobQuery query, String place, Limit limit) {
        SetWalk walk = new SetWalk(connection, set, query.due(), place);
        Finding finding = new Finding(query, limit);
        List<JobEntry> page = walk.peek(finding.page);
        while (!page.isEmpty()) {
            page.subList(0, finding.take(page)).forEach(walk::pass);
            if (finding.isOver()) {
                break;
            }
            page = walk.peek(finding.page);
        }
        long size = walk.size();
        long looked = Math.min(walk.gone(), size);
        String next = page.isEmpty() || looked == size ? "" : walk.place();
        return new Part(finding.found, next.isEmpty() ? size : looked, size, next);
    }

    /// Searches a queue, the next to run first. Jobs that run meanwhile shift the others, so some
    /// may be passed over.
    ///
    /// @param from place of the first job to look at, the next to run 0
    public Part search(String queue, JobQuery query, long from, Limit limit) {
        Finding finding = new Finding(query, limit);
        long at = from;
        List<JobEntry> page = reader.page(queue, at, finding.page);
        while (!page.isEmpty()) {
            at += finding.take(page);
            if (finding.isOver()) {
                break;
            }
            page = reader.page(queue, at, finding.page);
        }
        long size = reader.size(queue);
        return new Part(
                finding.found,
                Math.min(at, size),
                size,
                page.isEmpty() || at >= size ? "" : "" + at);
    }

    /// The jobs that one part has found so far.
    private static final class Finding {
        private final List<JobEntry> found = new ArrayList<>();
        private final Predicate<JobEntry> selection;
        private final Limit limit;
        private int page;
        private long bytes;

        Finding(JobQuery query, Limit limit) {
            this.limit = limit;
            selection = query.selection();
            page = query.isAll() ? Math.min(limit.most(), JobReader.PAGE) : FIRST_PAGE;
        }

        /// @return how many entries it looked at, fewer than all when the part is full
        int take(List<JobEntry> entries) {
            int looked = 0;
            while (looked < entries.size() && !isFull()) {
                JobEntry entry = entries.get(looked++);
                if (selection.test(entry)) {
                    found.add(entry);
                    bytes += entry.job().payload().length;
                }
            }
            page = Entries.nextPage(page, entries);
            return looked;
        }

        private boolean isFull() {
            return found.size() >= limit.most() || bytes >= BYTES_MAX;
        }

        boolean isOver() {
            return isFull() || limit.isLate().getAsBoolean();
        }
    }
}
