package dev.mawashi.api;

import dev.mawashi.desk.Desks;
import dev.mawashi.desk.JobLists;
import dev.mawashi.desk.ListRequest;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.EntryKey;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobJson;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.wire.JobSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Lists of jobs, a part at a time, and single ones.
final class JobReads {
    private static final String JOBS = Api.ROOT + "/queues/{name}/jobs";
    private static final Set<String> PAGING = Set.of("from", "cursor", "limit", "backtrace");

    private final Desks desks;
    private final JobLists lists;
    private final InstantSource clock;

    JobReads(Desks desks, InstantSource clock) {
        this.desks = desks;
        this.clock = clock;
        lists = new JobLists(desks, System::nanoTime);
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (JobSet set : JobSet.values()) {
            String path = path(set);
            Set<String> parameters = parameters(QueryFields.ofSets());
            routes.add(Reads.route(path, parameters, call -> set(set, path, call)));
            routes.add(Reads.route(path + "/{key}", Set.of(), call -> entry(set, call)));
        }
        routes.add(Reads.route(JOBS, parameters(QueryFields.ofQueues()), this::queue));
        return routes;
    }

    private static String path(JobSet set) {
        return Api.ROOT
                + switch (set) {
                    case RETRY -> "/retries";
                    case SCHEDULE -> "/scheduled";
                    case DEAD -> "/dead";
                };
    }

    private static Set<String> parameters(List<String> fields) {
        Set<String> all = new HashSet<>(PAGING);
        all.addAll(fields);
        return all;
    }

    private Answer set(JobSet set, String path, Call call) {
        ListRequest request = ListRequest.of(call.query(), QueryFields.ofSets(), clock.instant());
        boolean isPage = request.from().isPresent() && request.query().isAll();
        return answer(path, call, isPage ? lists.page(set, request) : lists.search(set, request));
    }

    private Answer queue(Call call) {
        ListRequest request = ListRequest.of(call.query(), QueryFields.ofQueues(), clock.instant());
        String name = Reads.name(call, "name");
        boolean isPage = request.from().isPresent() && request.query().isAll();
        return answer(
                JOBS.replace("{name}", ListParts.encoded(name)),
                call,
                isPage ? lists.page(name, request) : lists.search(name, request));
    }

    private static Answer answer(String path, Call call, JobLists.Part part) {
        boolean withBacktrace = Reads.isSet(call, "backtrace");
        List<String> jobs =
                part.found().stream().map(entry -> JobJson.row(entry, withBacktrace)).toList();
        Map<String, String> next = new LinkedHashMap<>(part.next());
        if (withBacktrace && !next.isEmpty()) {
            next.put("backtrace", "1");
        }
        return Answer.json(
                200,
                ListParts.json(
                        path,
                        part.total(),
                        part.looked(),
                        part.among(),
                        jobs,
                        next.isEmpty() ? "" : ListParts.query(next)));
    }

    private Answer entry(JobSet set, Call call) {
        return EntryKey.parse(Reads.name(call, "key"))
                .flatMap(key -> desks.read(desk -> desk.jobs().at(set, key).map(JobEntry::shown)))
                .map(entry -> Answer.json(200, JobJson.whole(entry)))
                .orElseGet(
                        () -> Reads.gone("it is not in this set: it ran, or was moved or deleted"));
    }
}
