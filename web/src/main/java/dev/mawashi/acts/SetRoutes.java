package dev.mawashi.acts;

import dev.mawashi.desk.Desk;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.SetAct;
import dev.mawashi.operate.SetOperator;
import dev.mawashi.pages.Section;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What can be done to retries, scheduled and dead jobs.
final class SetRoutes {
    private final Work work;
    private final Answering answering;
    private final InstantSource clock;

    SetRoutes(Work work, Answering answering, InstantSource clock) {
        this.work = work;
        this.answering = answering;
        this.clock = clock;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.addAll(routes(Section.RETRIES, JobSet.RETRY));
        routes.addAll(routes(Section.SCHEDULED, JobSet.SCHEDULE));
        routes.addAll(routes(Section.DEAD, JobSet.DEAD));
        return routes;
    }

    private List<Route> routes(Section section, JobSet set) {
        Answering.Back back = ask -> new Answering.Page(section.path(), Chosen.query(ask));
        String path = section.path().substring(1) + "/";
        List<Route> routes = new ArrayList<>();
        for (SetVerb verb : SetVerb.of(set)) {
            Set<String> fields = new LinkedHashSet<>(Chosen.fields(QueryFields.ofSets()));
            fields.addAll(verb.fields());
            routes.add(
                    answering.route(
                            new Answering.Act(
                                    path + verb.word(),
                                    verb.role(),
                                    section,
                                    fields,
                                    ask -> perform(ask, set, verb)),
                            back));
        }
        routes.add(
                answering.route(
                        new Answering.Act(
                                path + "clear",
                                Role.ADMIN,
                                section,
                                Chosen.fields(QueryFields.ofSets()),
                                ask -> clear(ask, set)),
                        back));
        return routes;
    }

    private Outcome perform(Ask ask, JobSet set, SetVerb verb) {
        SetAct act = verb.act(set, ask.fields(), clock.instant());
        Chosen chosen = Chosen.of(ask.fields(), clock.instant());
        String to = act instanceof SetAct.Requeue requeue ? requeue.queue() : "";
        String when = act instanceof SetAct.Reschedule at ? " to " + at.due() : "";
        Audit.Intent intent =
                new Audit.Intent(verb.word(), Places.of(set), to, chosen.detail() + when);
        return switch (chosen) {
            case Chosen.Rows rows -> {
                rows.entries();
                if (act instanceof SetAct.Bury bury) {
                    confirmTrim(ask, bury, rows.keys().size());
                }
                yield work.atOnce(
                        ask, intent, (desk, keeping) -> rows(desk, set, rows, act, keeping));
            }
            case Chosen.Matching matching -> many(ask, set, matching.query(), act, intent);
            case Chosen.All _ -> many(ask, set, JobQuery.ALL, act, intent);
        };
    }

    /// Jobs that leave the full dead set when others come cannot be had back.
    private void confirmTrim(Ask ask, SetAct.Bury bury, int count) {
        long size = work.desks().read(desk -> desk.jobs().size(JobSet.DEAD));
        if (size + count >= bury.limits().maxJobs()) {
            ask.confirm(
                    "Bury " + Told.jobs(count) + "?",
                    "The dead set is full, so its oldest jobs leave it for good.");
        }
    }

    private Audit.Came rows(Desk desk, JobSet set, Chosen.Rows rows, SetAct act, Keeping keeping) {
        List<JobEntry> found = desk.jobs().at(set, rows.entries());
        Report done = operator(desk.connection()).applyTo(set, found, act, keeping);
        return Audit.Came.to(done.plus(Report.gone(rows.keys().size() - found.size())));
    }

    private Outcome many(Ask ask, JobSet set, JobQuery query, SetAct act, Audit.Intent intent) {
        if (act instanceof SetAct.Bury) {
            ask.require(Role.ADMIN);
        }
        String which = query.isAll() ? "all jobs" : "all jobs that match (" + intent.detail() + ")";
        ask.confirm(
                Told.imperative(intent.act())
                        + " "
                        + which
                        + " of "
                        + Told.place(intent.place())
                        + "?",
                "Of a large number only the first thousand can be had back.");
        return work.task(
                ask,
                intent,
                desk -> desk.jobs().size(set),
                (connection, keeping, progress) ->
                        Audit.Came.to(
                                operator(connection).apply(set, query, act, keeping, progress)));
    }

    private SetOperator operator(RedisConnection connection) {
        return new SetOperator(
                new JobReader(connection),
                new SetEditing(connection),
                new UndoTable(connection),
                clock);
    }

    private Outcome clear(Ask ask, JobSet set) {
        long size = work.desks().read(desk -> desk.jobs().size(set));
        ask.confirm(
                "Delete all " + Told.jobs(size) + " of " + Told.place(set.key()) + "?",
                size > Keeping.JOBS_MAX
                        ? "That many cannot be had back."
                        : "They can be had back for ten minutes.");
        return work.atOnce(
                ask,
                new Audit.Intent("clear", Places.of(set), "", "all"),
                (desk, keeping) ->
                        Audit.Came.to(
                                Report.touched(
                                        new SetEditing(desk.connection()).clear(set, keeping))));
    }
}
