package dev.mawashi.desk;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobSearch;
import dev.mawashi.wire.JobSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Lists of jobs, a part at a time.
public final class JobLists {
    /// A search answers after that long with what it has found.
    private static final Duration SEARCH = Duration.ofMillis(150);

    private final Desks desks;
    private final LongSupplier nanoTime;

    /// @param nanoTime a monotonic clock
    public JobLists(Desks desks, LongSupplier nanoTime) {
        this.desks = desks;
        this.nanoTime = nanoTime;
    }

    /// A part of a list, its jobs as far as they are shown.
    ///
    /// @param total all jobs of the set or queue
    /// @param looked how many have been looked at from the list's beginning to this part's end
    /// @param among how many there are to look at: fewer than all where a time bounds the search
    /// @param next fields of the next part's address; empty at the end
    public record Part(
            long total, List<JobEntry> found, long looked, long among, Map<String, String> next) {
        public Part {
            found = found.stream().map(JobEntry::shown).toList();
        }
    }

    /// The entries of a set from a place on.
    public Part page(JobSet set, ListRequest request) {
        long from = request.from().orElse(0);
        return desks.read(desk ->
                page(request, desk.jobs().size(set), desk.jobs().page(set, from, request.limit())));
    }

    /// The jobs of a queue from a place on.
    public Part page(String queue, ListRequest request) {
        long from = request.from().orElse(0);
        return desks.read(desk ->
                page(
                        request,
                        desk.jobs().size(queue),
                        desk.jobs().page(queue, from, request.limit())));
    }

    private static Part page(ListRequest request, long size, List<JobEntry> found) {
        long end = request.from().orElse(0) + found.size();
        Map<String, String> next =
                end < size && !found.isEmpty() ? request.with("from", "" + end) : Map.of();
        return new Part(size, found, Math.min(end, size), size, next);
    }

    /// What a search through a set finds from its cursor on.
    public Part search(JobSet set, ListRequest request) {
        return desks.read(desk ->
                searched(
                        request,
                        desk.jobs().size(set),
                        desk.search()
                                .search(set, request.query(), request.cursor(), limit(request))));
    }

    /// What a search through a queue finds from its cursor on.
    public Part search(String queue, ListRequest request) {
        boolean isPlace = request.cursor().matches("\\d{1,18}");
        long from = isPlace ? Long.parseLong(request.cursor()) : 0;
        return desks.read(desk ->
                searched(
                        request,
                        desk.jobs().size(queue),
                        desk.search().search(queue, request.query(), from, limit(request))));
    }

    private static Part searched(ListRequest request, long size, JobSearch.Part part) {
        Map<String, String> next =
                part.next().isEmpty() ? Map.of() : request.with("cursor", part.next());
        return new Part(size, part.found(), part.looked(), part.size(), next);
    }

    private JobSearch.Limit limit(ListRequest request) {
        long end = nanoTime.getAsLong() + SEARCH.toNanos();
        return new JobSearch.Limit(request.limit(), () -> nanoTime.getAsLong() - end >= 0);
    }
}
