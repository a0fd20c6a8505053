package dev.mawashi.acts;

import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.FailureQuery;
import dev.mawashi.inspect.FailureReader;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.FailureOperator;
import dev.mawashi.pages.Section;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.FailureEditing;
import dev.mawashi.wire.ResqueKeys;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What can be done to Resque's failed jobs.
final class FailedRoutes {
    private static final List<String> FILTER = List.of("class", "queue", "error", "text");
    private static final Set<String> FIELDS =
            Set.of("class", "queue", "error", "text", "of", "from");

    private final Work work;
    private final Answering answering;
    private final InstantSource clock;
    private final ResqueKeys resque;

    FailedRoutes(Work work, Answering answering, InstantSource clock, ResqueKeys resque) {
        this.work = work;
        this.answering = answering;
        this.clock = clock;
        this.resque = resque;
    }

    List<Route> routes() {
        return List.of(
                route("requeue", Role.OPERATOR, ask -> act(ask, query(ask), "requeue")),
                route("remove", Role.ADMIN, ask -> act(ask, query(ask), "remove")),
                route(
                        "clear",
                        Role.ADMIN,
                        ask -> act(ask, new FailureQuery("", "", "", ""), "clear")));
    }

    private Route route(String verb, Role role, Answering.Performing performing) {
        return answering.route(
                new Answering.Act("failed/" + verb, role, Section.FAILED, FIELDS, performing),
                ask -> new Answering.Page("/failed", fields(ask)));
    }

    private static Map<String, String> fields(Ask ask) {
        Map<String, String> query = new LinkedHashMap<>();
        FILTER.forEach(name -> query.put(name, ask.fields().one(name)));
        query.put("from", ask.fields().one("from"));
        return query;
    }

    private static FailureQuery query(Ask ask) {
        Fields asked = ask.fields();
        FailureQuery query =
                new FailureQuery(
                        asked.one("class"),
                        asked.one("queue"),
                        asked.one("error"),
                        asked.one("text"));
        boolean isAll = asked.one("of").equals("all");
        if (query.isAll() && !isAll) {
            throw Refusal.wrong(
                    "which jobs? Give a filter (class, queue, error, text), or of: all");
        }
        return isAll ? new FailureQuery("", "", "", "") : query;
    }

    private Outcome act(Ask ask, FailureQuery query, String verb) {
        String detail =
                query.isAll()
                        ? "all"
                        : FILTER.stream()
                                .filter(name -> !ask.fields().one(name).isEmpty())
                                .map(name -> name + " " + ask.fields().one(name))
                                .collect(Collectors.joining(", "));
        ask.confirm(
                Told.imperative(verb) + " " + detail + " of Resque's failed jobs?",
                verb.equals("requeue")
                        ? "Their records stay; those that were requeued before are left out."
                        : "Their records cannot be had back.");
        return work.task(
                ask,
                new Audit.Intent(verb, "failed", "", detail),
                desk -> size(desk.connection()),
                (connection, _, progress) ->
                        Audit.Came.to(
                                verb.equals("requeue")
                                        ? operator(connection).requeue(query, progress)
                                        : operator(connection).remove(query, progress)));
    }

    private long size(RedisConnection connection) {
        FailureReader reader = new FailureReader(connection, resque);
        return reader.lists().stream().mapToLong(reader::size).sum();
    }

    private FailureOperator operator(RedisConnection connection) {
        return new FailureOperator(
                new FailureReader(connection, resque),
                new FailureEditing(connection, resque),
                clock,
                ZoneId.systemDefault());
    }
}
