package dev.mawashi.api;

import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ListRequest;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.FailureJson;
import dev.mawashi.inspect.FailureSearch;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobSearch;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Resque's failed jobs, a part at a time.
final class FailureReads {
    private static final String PATH = Api.ROOT + "/failed";
    private static final List<String> FIELDS = List.of("class", "queue", "error", "text");

    /// A search answers after that long with what it has found.
    private static final Duration SEARCH = Duration.ofMillis(150);

    private final Desks desks;
    private final InstantSource clock;
    private final ResqueKeys keys;

    FailureReads(Desks desks, InstantSource clock, ResqueKeys keys) {
        this.desks = desks;
        this.clock = clock;
        this.keys = keys;
    }

    List<Route> routes() {
        Set<String> parameters = new HashSet<>(FIELDS);
        parameters.addAll(Set.of("cursor", "limit"));
        return List.of(Reads.route(PATH, parameters, this::failed));
    }

    private Answer failed(Call call) {
        ListRequest request = ListRequest.of(call.query(), FIELDS, clock.instant());
        JobQuery query =
                new JobQuery(
                        Set.of(),
                        request.query().jobClass(),
                        request.query().queue(),
                        request.query().error(),
                        request.query().text());
        long end = System.nanoTime() + SEARCH.toNanos();
        JobSearch.Limit limit =
                new JobSearch.Limit(request.limit(), () -> System.nanoTime() - end >= 0);
        FailureSearch.Part part =
                desks.read(desk ->
                        new FailureSearch(desk.connection(), keys)
                                .search(query, request.cursor(), limit));
        List<String> jobs = part.found().stream().map(FailureJson::of).toList();
        return Answer.json(
                200,
                ListParts.json(
                        PATH,
                        part.size(),
                        part.looked(),
                        part.size(),
                        jobs,
                        part.next().isEmpty()
                                ? ""
                                : ListParts.query(request.with("cursor", part.next()))));
    }
}
