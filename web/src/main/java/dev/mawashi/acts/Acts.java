package dev.mawashi.acts;

import dev.mawashi.desk.Desk;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.http.Route;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Undoer;
import dev.mawashi.pages.AuditPage;
import dev.mawashi.pages.Flash;
import dev.mawashi.pages.Shell;
import dev.mawashi.pages.Shells;
import dev.mawashi.pages.Templates;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.ResqueKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All that operators can change over HTTP, and what pages report of it.
public final class Acts {
    private static final String ID = "[0-9a-f]{16}";

    private static final int LINES_MAX = 200;

    private final Desks desks;
    private final Tasks tasks;
    private final List<Route> routes = new ArrayList<>();

    /// @param resque the keys of Resque's jobs
    public Acts(
            Desks desks,
            ProcessQuestions questions,
            Tasks tasks,
            Shells shells,
            Templates templates,
            InstantSource clock,
            ResqueKeys resque) {
        this.desks = desks;
        this.tasks = tasks;
        Work work = new Work(desks, tasks);
        ActRoutes answering = new ActRoutes(shells, templates);
        routes.addAll(new SetRoutes(work, answering, clock).routes());
        routes.addAll(new QueueRoutes(work, answering, clock).routes());
        routes.addAll(new CronRoutes(work, new Work(questions.desks(), tasks), answering).routes());
        routes.add(new LockRoutes(work, answering).route());
        routes.addAll(new FleetRoutes(work, answering, questions, clock, resque).routes());
        routes.addAll(new FailedRoutes(work, answering, clock, resque).routes());
        routes.addAll(new RecordRoutes(work, tasks, answering).routes());
    }

    /// The routes, each a POST.
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /// The newest changes, the newest first.
    public List<AuditEntry> record(Desk desk, int most) {
        return tasks.audit(desk.connection()).newest(most);
    }

    /// A change of late by its id.
    public Optional<AuditEntry> find(Desk desk, String id) {
        return tasks.audit(desk.connection()).find(id);
    }

    /// A change as programs read it: with how far it is while it goes on here.
    public String json(AuditEntry entry) {
        return tasks.running(entry.id()).map(ActJson::underWay).orElseGet(entry::json);
    }

    /// The page of changes.
    public AuditPage page(Shell shell) {
        List<AuditPage.Line> lines =
                desks.read(desk -> {
                    Undoer undoer = new Undoer(new UndoTable(desk.connection()));
                    return record(desk, LINES_MAX).stream()
                            .map(entry -> line(entry, undoer.canUndo(entry)))
                            .toList();
                });
        return new AuditPage(shell, lines);
    }

    private AuditPage.Line line(AuditEntry entry, boolean canUndo) {
        boolean isUnderWay = tasks.running(entry.id()).isPresent();
        return new AuditPage.Line(
                entry.id(),
                entry.at(),
                ActText.who(entry.author()),
                isUnderWay
                        ? ActText.imperative(entry.act())
                                + " of "
                                + ActText.place(entry.place())
                                + " goes on"
                        : ActText.text(entry),
                entry.detail(),
                canUndo && !isUnderWay,
                isUnderWay);
    }

    /// The report of a change on a page.
    ///
    /// @param id of the change, as somebody has sent it
    /// @return null when there is no such change of late
    public @Nullable Flash flash(String id) {
        if (!id.matches(ID)) {
            return null;
        }
        Optional<RunningAct> running = tasks.running(id);
        if (running.isPresent()) {
            return underWay(running.get());
        }
        return desks.read(desk -> find(desk, id).map(entry -> flash(desk, entry))).orElse(null);
    }

    private static Flash underWay(RunningAct running) {
        String text =
                String.format(
                        Locale.ROOT,
                        "%s of %s goes on: %s so far, %,d of %,d looked at.",
                        ActText.imperative(running.begun().act()),
                        ActText.place(running.begun().place()),
                        ActText.jobs(running.sum().touched()),
                        running.looked(),
                        running.total());
        return new Flash(text, false, running.begun().id(), false, true);
    }

    private static Flash flash(Desk desk, AuditEntry entry) {
        boolean isBad =
                entry.state() != AuditEntry.State.DONE
                        || (entry.report().touched() == 0 && entry.report().gone() > 0);
        boolean canUndo = new Undoer(new UndoTable(desk.connection())).canUndo(entry);
        return new Flash(ActText.text(entry), isBad, entry.id(), canUndo, false);
    }
}
