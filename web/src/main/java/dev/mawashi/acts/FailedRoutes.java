package dev.mawashi.acts;

import dev.mawashi.http.Route;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.FailureOperator;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Selection;
import dev.mawashi.pages.Section;
import dev.mawashi.wire.ResqueKeys;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The routes that change Resque's failed jobs.
final class FailedRoutes {
    private final Work work;
    private final ActRoutes answering;
    private final InstantSource clock;
    private final ResqueKeys resque;

    FailedRoutes(Work work, ActRoutes answering, InstantSource clock, ResqueKeys resque) {
        this.work = work;
        this.answering = answering;
        this.clock = clock;
        this.resque = resque;
    }

    List<Route> routes() {
        return List.of(route(Act.REQUEUE), route(Act.REMOVE), route(Act.CLEAR));
    }

    private Route route(Act act) {
        Set<String> fields = new LinkedHashSet<>(QueryFields.ofFailures());
        fields.addAll(List.of("of", "from"));
        return answering.route(
                new ActRoutes.Post(
                        "failed/" + act.word(),
                        Work.role(act),
                        Section.FAILED,
                        fields,
                        ask -> perform(ask, act)),
                ask -> new ActRoutes.Page("/failed", fields(ask)));
    }

    private static Map<String, String> fields(Ask ask) {
        Map<String, String> query = new LinkedHashMap<>();
        QueryFields.ofFailures().forEach(name -> query.put(name, ask.fields().one(name)));
        query.put("from", ask.fields().one("from"));
        return query;
    }

    private ActOutcome perform(Ask ask, Act act) {
        Change change = Change.of(act);
        Selection selection = act == Act.CLEAR ? Selection.ALL : selection(ask.fields());
        return work.many(
                ask,
                change,
                new Work.Jobs(
                        change.intent(Places.FAILED, selection.words()),
                        selection,
                        connection ->
                                new FailureOperator(
                                        resque, connection, clock, ZoneId.systemDefault())),
                act == Act.REQUEUE
                        ? "Their records stay; those that were requeued before are left out."
                        : "Their records cannot be had back.");
    }

    private Selection selection(PostedFields asked) {
        return switch (Chosen.of(asked, QueryFields.ofFailures(), clock.instant())) {
            case Chosen.Matching(var selection) -> selection;
            case Chosen.Rows _ -> throw ActRefusal.wrong("records have no keys: give a filter");
        };
    }
}
