package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Keys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Reads jobs from sorted sets and queues, a page at a time, so that neither Redis nor this process
/// is held up by a large one. One thread's.
///
/// A search sees every job that is there from its beginning to its end, once or, rarely, twice; one
/// that comes or goes meanwhile may be seen or not.
public final class JobReader implements AutoCloseable {
    /// Most entries looked at in one command.
    public static final int PAGE = 1_000;

    /// Most entries when Redis compares each with a pattern, which takes it longer than to hand one
    /// out.
    private static final int MATCHED_PAGE = 250;

    /// After a page of more bytes the next one has fewer entries.
    static final int PAGE_BYTES = 4 << 20;

    /// A list ends after so many bytes, so that it fits into this process.
    private static final long LIST_BYTES_MAX = 64 << 20;

    /// Most pages of entries with one score that are looked at.
    private static final int SAME_SCORE_PAGES = 10;

    private final RedisConnection connection;
    private final long pageBytesMax;

    public JobReader(RedisConnection connection) {
        this(connection, LIST_BYTES_MAX);
    }

    /// @param pageBytesMax a page ends after the entry with which it has so many bytes
    JobReader(RedisConnection connection, long pageBytesMax) {
        this.connection = connection;
        this.pageBytesMax = pageBytesMax;
    }

    /// Takes what a search finds, a page at a time.
    public interface Sink {
        /// @param found the jobs of a page that match
        /// @param looked how many jobs were looked at so far
        /// @return how many of them the sink has removed
        int take(List<JobEntry> found, long looked);
    }

    /// What a search found.
    ///
    /// @param first the first of them
    /// @param total how many jobs match
    public record Found(List<JobEntry> first, long total) {
        public Found {
            first = List.copyOf(first);
        }
    }

    /// Jobs by their places, the first of them 0.
    private interface Range {
        List<JobEntry> read(long from, long to);

        /// The jobs at a range's ends. The others are likely as long as these.
        default List<JobEntry> ends(long from, long to) {
            List<JobEntry> ends = new ArrayList<>(read(from, from));
            if (to > from) {
                ends.addAll(read(to, to));
            }
            return ends;
        }
    }

    public long size(JobSet set) {
        return (Long) Objects.requireNonNull(connection.call("ZCARD", set.key()));
    }

    public long size(String queue) {
        return (Long) Objects.requireNonNull(connection.call("LLEN", Keys.queue(queue)));
    }

    /// The first jobs of a set by score, the dead ones newest first; fewer where they are large.
    public List<JobEntry> first(JobSet set, int most) {
        return page(set, 0, most);
    }

    /// Jobs of a set in that order, from a place on, the first of them 0.
    public List<JobEntry> page(JobSet set, long from, int most) {
        return page(from, Math.min(from + most, size(set)), (a, b) -> scored(set, a, b));
    }

    /// The jobs of a queue that run next, soonest first; fewer where they are large.
    public List<JobEntry> first(String queue, int most) {
        return page(queue, 0, most);
    }

    /// Jobs of a queue in that order, from a place on, the next to run 0.
    public List<JobEntry> page(String queue, long from, int most) {
        return page(
                from,
                Math.min(from + most, size(queue)),
                (a, b) -> queued(queue, -1 - b, -1 - a).reversed());
    }

    private List<JobEntry> page(long first, long end, Range range) {
        List<JobEntry> found = new ArrayList<>();
        long bytes = 0;
        while (first + found.size() < end && bytes < pageBytesMax) {
            long from = first + found.size();
            long count = fitting(end - from, range.ends(from, end - 1));
            List<JobEntry> entries = range.read(from, from + count - 1);
            if (entries.isEmpty()) {
                break;
            }
            found.addAll(entries);
            bytes += Entries.bytes(entries);
        }
        return found;
    }

    private static long fitting(long wanted, List<JobEntry> samples) {
        return fitting(wanted, samples.stream().mapToLong(entry -> entry.job().payload().length));
    }

    /// How many fit into a page if none is longer than these are.
    static long fitting(long wanted, LongStream sizes) {
        long longest = Math.max(1, sizes.max().orElse(1));
        return Math.clamp(PAGE_BYTES / longest, 1, Math.max(1, wanted));
    }

    private List<JobEntry> scored(JobSet set, long from, long to) {
        List<String> command = new ArrayList<>(List.of("ZRANGE", set.key(), "" + from, "" + to));
        if (set == JobSet.DEAD) {
            command.add("REV");
        }
        command.add("WITHSCORES");
        return Entries.scored(Entries.list(connection.call(command.toArray(String[]::new))));
    }

    private List<JobEntry> queued(String queue, long from, long to) {
        List<?> payloads =
                Entries.list(connection.call("LRANGE", Keys.queue(queue), "" + from, "" + to));
        // Redis leaves out what would lie beyond the queue's left end.
        return Entries.queued(payloads, from >= 0 ? from : to - payloads.size() + 1);
    }

    /// Searches a set for the first jobs that match; fewer where they are large.
    public Found find(JobSet set, JobQuery query, int most, Sink progress) {
        Comparator<JobEntry> order =
                set == JobSet.DEAD ? JobEntry.ORDER.reversed() : JobEntry.ORDER;
        FirstFound first = new FirstFound(order, most, LIST_BYTES_MAX);
        long[] total = {0};
        Sink sink =
                (found, looked) -> {
                    total[0] += found.size();
                    found.forEach(first::add);
                    return progress.take(found, looked);
                };
        if (query.due().isAll()) {
            scan(set, query, sink);
        } else {
            walk(set, query, sink);
        }
        return new Found(first.entries(), total[0]);
    }

    /// Looks only at what is due, or died, in the query's range, in order of it. The sink must
    /// leave the set as it is.
    private void walk(JobSet set, JobQuery query, Sink sink) {
        SetWalk walk = new SetWalk(connection, set, query.due(), "");
        long looked = 0;
        List<JobEntry> page = walk.peek(PAGE);
        while (!page.isEmpty()) {
            page.forEach(walk::pass);
            looked += page.size();
            sink.take(Entries.matching(page, query), looked);
            page = walk.peek(PAGE);
        }
    }

    /// Searches a queue for the jobs that match and run next; fewer where they are large.
    public Found find(String queue, JobQuery query, int most, Sink progress) {
        Deque<JobEntry> last = new ArrayDeque<>();
        long[] total = {0};
        long[] bytes = {0};
        scan(
                queue,
                query,
                (found, looked) -> {
                    total[0] += found.size();
                    for (JobEntry entry : found) {
                        last.addFirst(entry);
                        bytes[0] += entry.job().payload().length;
                        while (last.size() > 1
                                && (last.size() > most || bytes[0] > LIST_BYTES_MAX)) {
                            bytes[0] -= last.removeLast().job().payload().length;
                        }
                    }
                    return progress.take(found, looked);
                });
        return new Found(new ArrayList<>(last), total[0]);
    }

    /// The entry of a set with this key, such as one that a page has shown; the first of several.
    public Optional<JobEntry> at(JobSet set, EntryKey key) {
        return at(set, List.of(key)).stream().findFirst();
    }

    /// The entries of a set that pages have shown, as far as they are there still. Of those with
    /// one score it looks at the first ten thousand.
    public List<JobEntry> at(JobSet set, Collection<EntryKey> keys) {
        Set<EntryKey> wanted = new LinkedHashSet<>(keys);
        Set<String> scores = new LinkedHashSet<>();
        wanted.forEach(key -> scores.add(key.score()));
        List<JobEntry> found = new ArrayList<>();
        for (String score : scores) {
            for (int page = 0; page < SAME_SCORE_PAGES; page++) {
                List<JobEntry> some = at(set, score, page * PAGE);
                for (JobEntry entry : some) {
                    // Of twins the one that was asked for is any one.
                    if (wanted.remove(new EntryKey(score, entry.job().jid()))) {
                        found.add(entry);
                    }
                }
                if (some.size() < PAGE || wanted.isEmpty()) {
                    break;
                }
            }
        }
        return found;
    }

    /// The jobs of a set at a place by score.
    ///
    /// @param score as Redis reads it
    public List<JobEntry> at(JobSet set, String score) {
        return at(set, score, 0);
    }

    private List<JobEntry> at(JobSet set, String score, int offset) {
        return Entries.scored(
                Entries.list(
                        connection.call(
                                "ZRANGEBYSCORE",
                                set.key(),
                                score,
                                score,
                                "WITHSCORES",
                                "LIMIT",
                                "" + offset,
                                "" + PAGE)));
    }

    /// Looks at all of a set, in no order.
    public void scan(JobSet set, JobQuery query, Sink sink) {
        Optional<String> pattern = query.pattern();
        long size = size(set);
        String cursor = "0";
        long looked = 0;
        int most = pattern.isPresent() ? MATCHED_PAGE : PAGE;
        int page = 1;
        do {
            List<String> command =
                    new ArrayList<>(List.of("ZSCAN", set.key(), cursor, "COUNT", "" + page));
            pattern.ifPresent(wanted -> command.addAll(List.of("MATCH", wanted)));
            List<?> reply = Entries.list(connection.call(command.toArray(String[]::new)));
            cursor = Entries.text(reply.get(0));
            List<JobEntry> entries = Entries.scored(Entries.list(reply.get(1)));
            looked = Math.min(size, looked + page);
            sink.take(Entries.matching(entries, query), cursor.equals("0") ? size : looked);
            page = Math.min(most, Entries.nextPage(page, entries));
        } while (!cursor.equals("0"));
    }

    /// Looks at all of a queue, newest first: jobs that leave at the other end meanwhile shift
    /// nothing, and how far new ones shift the rest is seen by `overlap`.
    public void scan(String queue, JobQuery query, Sink sink) {
        Range range = (first, last) -> queued(queue, first, last);
        long size = size(queue);
        List<JobEntry> before = List.of();
        long from = 0;
        int page = PAGE;
        while (true) {
            long count = fitting(page, range.ends(from, Math.min(from + page, size) - 1));
            List<JobEntry> entries = range.read(from, from + count - 1);
            if (entries.isEmpty()) {
                return;
            }
            List<JobEntry> fresh = entries.subList(overlap(before, entries), entries.size());
            from += entries.size();
            from -= sink.take(Entries.matching(fresh, query), from);
            before = entries;
            page = Entries.nextPage(page, entries);
        }
    }

    /// How many jobs at the beginning of a page stood at the end of the one before. Of jobs of the
    /// same bytes, as Resque has them, nobody can tell: then none, and some are seen twice.
    private static int overlap(List<JobEntry> before, List<JobEntry> page) {
        JobEntry first = page.getFirst();
        int[] places = places(before, first);
        if (places.length != 1 || places(page, first).length != 1) {
            return 0;
        }
        int count = Math.min(before.size() - places[0], page.size());
        boolean isSame =
                IntStream.range(0, count)
                        .allMatch(i -> isSame(before.get(places[0] + i), page.get(i)));
        return isSame ? count : 0;
    }

    /// Where a job stands among others.
    private static int[] places(List<JobEntry> entries, JobEntry wanted) {
        return IntStream.range(0, entries.size())
                .filter(i -> isSame(entries.get(i), wanted))
                .toArray();
    }

    private static boolean isSame(JobEntry a, JobEntry b) {
        return JobEntry.ORDER.compare(a, b) == 0;
    }

    @Override
    public void close() {
        connection.close();
    }
}
