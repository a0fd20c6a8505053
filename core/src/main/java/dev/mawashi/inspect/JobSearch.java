package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JobSet;
import java.util.ArrayList;
import java.util.List;

/// Searches a set or a queue in parts, so that nobody waits for all of a large one. One thread's.
public final class JobSearch {
    private final RedisConnection connection;
    private final JobReader reader;

    public JobSearch(RedisConnection connection) {
        this.connection = connection;
        reader = new JobReader(connection);
    }

    /// A part of a search.
    ///
    /// @param looked how many entries it looked at
    /// @param next where the next part begins; "" at the end
    public record Part(List<JobEntry> found, long looked, String next) {
        public Part {
            found = List.copyOf(found);
        }
    }

    /// When a part has gone on for long enough; asked after each page.
    public interface Enough {
        boolean is(int found);
    }

    /// Searches a set, in no order.
    ///
    /// @param cursor "0" to begin, or the last part's `next`
    public Part search(JobSet set, JobQuery query, String cursor, Enough enough) {
        List<JobEntry> found = new ArrayList<>();
        String next = cursor;
        long looked = 0;
        int page = 100;
        do {
            List<?> reply =
                    Entries.list(connection.call("ZSCAN", set.key(), next, "COUNT", "" + page));
            next = Entries.text(reply.get(0));
            List<JobEntry> entries = Entries.scored(Entries.list(reply.get(1)));
            looked += entries.size();
            found.addAll(Entries.matching(entries, query));
            page = Entries.nextPage(page, entries);
        } while (!next.equals("0") && !enough.is(found.size()));
        return new Part(found, looked, next.equals("0") ? "" : next);
    }

    /// Searches a queue, the next to run first. Jobs that run meanwhile shift the others, so some
    /// may be passed over.
    ///
    /// @param from place of the first job to look at, the next to run 0
    public Part search(String queue, JobQuery query, long from, Enough enough) {
        List<JobEntry> found = new ArrayList<>();
        long at = from;
        List<JobEntry> entries;
        do {
            entries = reader.page(queue, at, JobReader.PAGE);
            at += entries.size();
            found.addAll(Entries.matching(entries, query));
        } while (!entries.isEmpty() && !enough.is(found.size()));
        return new Part(found, at - from, entries.isEmpty() ? "" : "" + at);
    }
}
