package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
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
    static final int PAGE_BYTES = LimitedReads.PART_BYTES_MAX;

    /// A list ends after so many bytes, so that it fits into this process.
    private static final long LIST_BYTES_MAX = 8 << 20;

    /// Most entries with one score that are looked at.
    private static final int SAME_SCORE_MAX = 10_000;

    private final RedisConnection connection;
    private final LimitedReads limited;
    private final Redactor redactor;
    private final long pageBytesMax;

    public JobReader(RedisConnection connection) {
        this(connection, LIST_BYTES_MAX);
    }

    /// @param pageBytesMax a page ends after the entry with which it has so many bytes
    JobReader(RedisConnection connection, long pageBytesMax) {
        this.connection = connection;
        limited = new LimitedReads(connection);
        redactor = new Redactor(connection);
        this.pageBytesMax = pageBytesMax;
    }

    /// Takes what a search finds, a page at a time.
    public interface Sink {
        /// @param found the jobs of a page that match
        /// @param looked how many jobs were looked at so far
        /// @return how many of them the sink has removed
        int take(List<JobEntry> found, long looked);
    }

    /// The jobs that a search found.
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
        /// As many as fit; one at least, where there is one.
        List<JobEntry> read(long from, int most);
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
        return page(from, Math.min(from + most, size(set)), (at, some) -> scored(set, at, some));
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
                (at, some) -> queued(queue, LimitedReads.Side.RIGHT, at, some));
    }

    private List<JobEntry> page(long first, long end, Range range) {
        List<JobEntry> found = new ArrayList<>();
        long bytes = 0;
        while (first + found.size() < end && bytes < pageBytesMax) {
            long from = first + found.size();
            List<JobEntry> entries = range.read(from, (int) Math.min(PAGE, end - from));
            if (entries.isEmpty()) {
                break;
            }
            found.addAll(entries);
            bytes += Entries.bytes(entries);
        }
        return found;
    }

    private List<JobEntry> scored(JobSet set, long from, int most) {
        return scored(set, new LimitedReads.Span("", from, "", ""), most);
    }

    /// A part of a set, in the order in which it is listed; fewer where they are large.
    List<JobEntry> scored(JobSet set, LimitedReads.Span span, int most) {
        return Entries.scored(
                limited.scored(Keys.bytes(set.key()), set == JobSet.DEAD, span, most),
                redactor.redaction());
    }

    private List<JobEntry> queued(String queue, LimitedReads.Side side, long from, int most) {
        List<byte[]> payloads = limited.part(Keys.bytes(Keys.queue(queue)), side, from, most);
        return Entries.queued(payloads, from, side, redactor.redaction());
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
            List<JobEntry> some = at(set, score, 0);
            for (int passed = 0;
                    !some.isEmpty() && passed < SAME_SCORE_MAX && !wanted.isEmpty(); ) {
                for (JobEntry entry : some) {
                    // Of twins the one that was asked for is any one.
                    if (wanted.remove(new EntryKey(score, entry.job().jid()))) {
                        found.add(entry);
                    }
                }
                passed += some.size();
                some = at(set, score, passed);
            }
        }
        return found;
    }

    /// The jobs of a set at a place by score; fewer where they are large.
    ///
    /// @param score as Redis reads it
    public List<JobEntry> at(JobSet set, String score) {
        return at(set, score, 0);
    }

    private List<JobEntry> at(JobSet set, String score, int passed) {
        return scored(set, LimitedReads.Span.of(score, passed), PAGE);
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
            LimitedReads.Step step =
                    limited.scanSet(
                            Keys.bytes(set.key()),
                            cursor,
                            page,
                            pattern.map(Keys::bytes).orElse(null));
            cursor = step.cursor();
            page = step.count();
            List<JobEntry> entries = Entries.scored(step.pairs(), redactor.redaction());
            looked = Math.min(size, looked + page);
            sink.take(Entries.matching(entries, query), cursor.equals("0") ? size : looked);
            page = Math.min(most, Entries.nextPage(page, entries));
        } while (!cursor.equals("0"));
    }

    /// Looks at all of a queue, newest first: jobs that leave at the other end meanwhile shift
    /// nothing, and how far new ones shift the rest is seen by `overlap`.
    public void scan(String queue, JobQuery query, Sink sink) {
        List<JobEntry> before = List.of();
        long from = 0;
        int page = PAGE;
        while (true) {
            List<JobEntry> entries = queued(queue, LimitedReads.Side.LEFT, from, page);
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
    /// same bytes, as Resque has them, nobody can know: then none, and some are seen twice.
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
