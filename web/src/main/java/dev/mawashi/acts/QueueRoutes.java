package dev.mawashi.acts;

import dev.mawashi.desk.Desk;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.QueueOperator;
import dev.mawashi.operate.Report;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Section;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/// The routes that change queues and their waiting jobs.
final class QueueRoutes {
    /// How far chosen jobs are looked for before the place at which a page has shown them: what
    /// runs meanwhile brings the rest nearer to the queue's head, and nothing takes them away from
    /// it but jobs that are given back.
    private static final int LOOK_BEFORE = 20_000;

    private static final int LOOK_AFTER = 2_000;
    private static final int FROM_MAX = 999_999_999;

    private final Work work;
    private final ActRoutes answering;
    private final InstantSource clock;

    QueueRoutes(Work work, ActRoutes answering, InstantSource clock) {
        this.clock = clock;
        this.work = work;
        this.answering = answering;
    }

    List<Route> routes() {
        return List.of(
                route(Act.PAUSE, "pause", Set.of(), this::pause),
                route(Act.UNPAUSE, "unpause", Set.of(), this::pause),
                route(Act.CLEAR, "clear", Set.of(), (ask, _) -> clear(ask)),
                route(Act.DELETE, "delete-jobs", jobs(Act.DELETE), this::perform),
                route(Act.MOVE, "move", jobs(Act.MOVE), this::perform));
    }

    private static Set<String> jobs(Act act) {
        return Chosen.fields(QueryFields.ofQueues(), act);
    }

    private Route route(
            Act act, String end, Set<String> fields, BiFunction<Ask, Act, ActOutcome> performing) {
        return answering.route(
                new ActRoutes.Post(
                        "queues/{name}/" + end,
                        Work.role(act),
                        Section.QUEUES,
                        fields,
                        ask -> performing.apply(ask, act)),
                QueueRoutes::page);
    }

    /// The list of queues, the overview or the queue's own page.
    private static ActRoutes.Page page(Ask ask) {
        return switch (ask.fields().one("view")) {
            case "queues" -> new ActRoutes.Page("/queues", Map.of());
            case "overview" -> new ActRoutes.Page("/", Map.of());
            default ->
                    new ActRoutes.Page(
                            "/queues/" + Links.segment(ask.inPath("name")), Chosen.query(ask));
        };
    }

    private ActOutcome pause(Ask ask, Act act) {
        String queue = ask.inPath("name");
        return work.atOnce(
                ask,
                new Audit.Intent(act, Places.ofQueue(queue)),
                (desk, _) -> {
                    QueueEditing editing = new QueueEditing(desk.connection());
                    boolean isChanged =
                            act == Act.PAUSE ? editing.pause(queue) : editing.unpause(queue);
                    return new Audit.Came(Report.NOTHING, isChanged ? "" : "was so already");
                });
    }

    private ActOutcome clear(Ask ask) {
        String queue = ask.inPath("name");
        long size = work.desks().read(desk -> desk.jobs().size(queue));
        ask.confirm(
                "Delete all " + ActText.jobs(size) + " of queue " + queue + "?",
                size > Keeping.JOBS_MAX
                        ? "That many cannot be had back. Jobs in flight run on."
                        : "They can be had back for ten minutes. Jobs in flight run on.");
        return work.task(
                ask,
                Change.of(Act.CLEAR).intent(Places.ofQueue(queue), "all"),
                _ -> size,
                (connection, keeping, _) -> {
                    var waited = new QueueEditing(connection).clear(queue, keeping);
                    return new Audit.Came(
                            Report.touched(waited.orElse(0)),
                            waited.isPresent() ? "" : "there is no such queue");
                });
    }

    private ActOutcome perform(Ask ask, Act act) {
        String queue = ask.inPath("name");
        Change change = change(ask, act);
        Chosen chosen = Chosen.of(ask.fields(), QueryFields.ofQueues(), clock.instant());
        Audit.Intent intent = change.intent(Places.ofQueue(queue), chosen.words());
        return switch (chosen) {
            case Chosen.Rows rows ->
                    work.atOnce(
                            ask,
                            intent,
                            (desk, keeping) -> {
                                List<JobEntry> found = look(desk, queue, ask, rows);
                                Report done =
                                        new QueueOperator(queue, desk.connection())
                                                .perform(change, found, keeping);
                                int gone = rows.keys().size() - found.size();
                                return Audit.Came.to(done.plus(Report.gone(gone)));
                            });
            case Chosen.Matching(var selection) ->
                    work.many(
                            ask,
                            change,
                            new Work.Jobs(
                                    intent,
                                    selection,
                                    connection -> new QueueOperator(queue, connection)),
                            Work.KEPT);
        };
    }

    private static Change change(Ask ask, Act act) {
        if (act != Act.MOVE) {
            return Change.of(act);
        }
        String to = QueueName.of(ask.fields(), "to");
        if (to.equals(ask.inPath("name"))) {
            throw ActRefusal.wrong("the jobs are in queue " + to);
        }
        return Change.to(act, to);
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
