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
import dev.mawashi.operate.Progress;
import dev.mawashi.operate.QueueOperator;
import dev.mawashi.operate.Report;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Section;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.UndoTable;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What can be done to queues and to the jobs that wait in them.
final class QueueRoutes {
    /// How far chosen jobs are looked for before the place at which a page has shown them: what
    /// runs meanwhile brings the rest nearer to the queue's head, and nothing takes them away from
    /// it but jobs that are given back.
    private static final int LOOK_BEFORE = 20_000;

    private static final int LOOK_AFTER = 2_000;
    private static final int FROM_MAX = 999_999_999;

    private final Work work;
    private final Answering answering;
    private final InstantSource clock;

    QueueRoutes(Work work, Answering answering, InstantSource clock) {
        this.clock = clock;
        this.work = work;
        this.answering = answering;
    }

    List<Route> routes() {
        return List.of(
                route("pause", Role.OPERATOR, Set.of(), ask -> pause(ask, true)),
                route("unpause", Role.OPERATOR, Set.of(), ask -> pause(ask, false)),
                route("clear", Role.ADMIN, Set.of(), this::clear),
                route("delete-jobs", Role.ADMIN, jobs(), this::delete),
                route("move", Role.OPERATOR, jobs("to"), this::move));
    }

    private static Set<String> jobs(String... more) {
        Set<String> names = new LinkedHashSet<>(Chosen.fields(QueryFields.ofQueues()));
        names.addAll(List.of(more));
        return names;
    }

    private Route route(
            String verb, Role role, Set<String> fields, Answering.Performing performing) {
        return answering.route(
                new Answering.Act(
                        "queues/{name}/" + verb, role, Section.QUEUES, fields, performing),
                QueueRoutes::page);
    }

    /// The list of queues, the overview or the queue's own page.
    private static Answering.Page page(Ask ask) {
        return switch (ask.fields().one("view")) {
            case "queues" -> new Answering.Page("/queues", Map.of());
            case "overview" -> new Answering.Page("/", Map.of());
            default ->
                    new Answering.Page(
                            "/queues/" + Links.segment(ask.inPath("name")), Chosen.query(ask));
        };
    }

    private Outcome pause(Ask ask, boolean isPause) {
        String queue = ask.inPath("name");
        return work.atOnce(
                ask,
                new Audit.Intent(isPause ? "pause" : "unpause", Places.ofQueue(queue)),
                (desk, _) -> {
                    QueueEditing editing = new QueueEditing(desk.connection());
                    boolean isChanged = isPause ? editing.pause(queue) : editing.unpause(queue);
                    return new Audit.Came(Report.NOTHING, isChanged ? "" : "was so already");
                });
    }

    private Outcome clear(Ask ask) {
        String queue = ask.inPath("name");
        long size = work.desks().read(desk -> desk.jobs().size(queue));
        ask.confirm(
                "Delete all " + Told.jobs(size) + " of queue " + queue + "?",
                size > Keeping.JOBS_MAX
                        ? "That many cannot be had back. Jobs in flight run on."
                        : "They can be had back for ten minutes. Jobs in flight run on.");
        return work.atOnce(
                ask,
                new Audit.Intent("clear", Places.ofQueue(queue), "", "all"),
                (desk, keeping) -> {
                    var waited = new QueueEditing(desk.connection()).clear(queue, keeping);
                    return new Audit.Came(
                            Report.touched(waited.orElse(0)),
                            waited.isPresent() ? "" : "there is no such queue");
                });
    }

    private Outcome delete(Ask ask) {
        String queue = ask.inPath("name");
        return act(
                ask,
                new Audit.Intent("delete", Places.ofQueue(queue), "", detail(ask)),
                (operator, found, keeping) -> operator.delete(queue, found, keeping),
                (operator, query, keeping, progress) ->
                        operator.delete(queue, query, keeping, progress));
    }

    private Outcome move(Ask ask) {
        String queue = ask.inPath("name");
        String to = QueueName.of(ask.fields(), "to");
        if (to.equals(queue)) {
            throw Refusal.wrong("the jobs are in queue " + queue);
        }
        return act(
                ask,
                new Audit.Intent("move", Places.ofQueue(queue), to, detail(ask)),
                (operator, found, keeping) -> operator.move(queue, to, found, keeping),
                (operator, query, keeping, progress) ->
                        operator.move(queue, to, query, keeping, progress));
    }

    private String detail(Ask ask) {
        return Chosen.of(ask.fields(), clock.instant()).detail();
    }

    /// An act on jobs of a page.
    private interface Few {
        Report perform(QueueOperator operator, List<JobEntry> found, Keeping keeping);
    }

    /// An act on all that match.
    private interface Many {
        Report perform(QueueOperator operator, JobQuery query, Keeping keeping, Progress progress);
    }

    private Outcome act(Ask ask, Audit.Intent intent, Few few, Many many) {
        String queue = ask.inPath("name");
        return switch (Chosen.of(ask.fields(), clock.instant())) {
            case Chosen.Rows rows ->
                    work.atOnce(
                            ask,
                            intent,
                            (desk, keeping) -> {
                                List<JobEntry> found = look(desk, queue, ask, rows);
                                Report done =
                                        few.perform(operator(desk.connection()), found, keeping);
                                int gone = rows.keys().size() - found.size();
                                return Audit.Came.to(done.plus(Report.gone(gone)));
                            });
            case Chosen.Matching matching -> task(ask, intent, matching.query(), many);
            case Chosen.All _ -> task(ask, intent, JobQuery.ALL, many);
        };
    }

    private Outcome task(Ask ask, Audit.Intent intent, JobQuery query, Many many) {
        String queue = ask.inPath("name");
        String which = query.isAll() ? "all jobs" : "all jobs that match (" + intent.detail() + ")";
        String where = intent.to().isEmpty() ? "" : " to queue " + intent.to();
        ask.confirm(
                Told.imperative(intent.act()) + " " + which + " of queue " + queue + where + "?",
                "Of a large number only the first thousand can be had back.");
        return work.task(
                ask,
                intent,
                desk -> desk.jobs().size(queue),
                (connection, keeping, progress) ->
                        Audit.Came.to(
                                many.perform(operator(connection), query, keeping, progress)));
    }

    private static QueueOperator operator(RedisConnection connection) {
        return new QueueOperator(
                new JobReader(connection), new QueueEditing(connection), new UndoTable(connection));
    }

    /// Chosen jobs near the place at which a page has shown them, the next to run first.
    private static List<JobEntry> look(Desk desk, String queue, Ask ask, Chosen.Rows rows) {
        long from = ask.fields().number("from", 0, 0, FROM_MAX);
        Set<String> wanted = new HashSet<>(rows.keys());
        List<JobEntry> found = new ArrayList<>();
        long end = from + LOOK_AFTER;
        for (long at = Math.max(0, from - LOOK_BEFORE); at < end && !wanted.isEmpty(); ) {
            List<JobEntry> page = desk.jobs().page(queue, at, JobReader.PAGE);
            if (page.isEmpty()) {
                break;
            }
            page.stream().filter(entry -> wanted.remove(Links.rowKey(entry))).forEach(found::add);
            at += page.size();
        }
        return found;
    }
}
