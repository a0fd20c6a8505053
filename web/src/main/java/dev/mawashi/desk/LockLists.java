package dev.mawashi.desk;

import dev.mawashi.inspect.JobSearch;
import dev.mawashi.inspect.LockReader;
import java.time.Duration;
import java.util.List;

/// The list of locks, a part at a time.
public final class LockLists {
    /// The fields of a request by which locks are found.
    public static final List<String> FIELDS = List.of("class");

    /// A search answers after that long with what it has found.
    private static final Duration SEARCH = Duration.ofMillis(150);

    private final Desks desks;

    public LockLists(Desks desks) {
        this.desks = desks;
    }

    /// @param request with `FIELDS`
    public LockReader.Part part(ListRequest request) {
        long end = System.nanoTime() + SEARCH.toNanos();
        JobSearch.Limit limit =
                new JobSearch.Limit(request.limit(), () -> System.nanoTime() - end >= 0);
        return desks.read(desk ->
                new LockReader(desk.connection())
                        .part(request.query().jobClass(), request.cursor(), limit));
    }
}
