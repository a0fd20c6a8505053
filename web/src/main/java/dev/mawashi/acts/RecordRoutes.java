package dev.mawashi.acts;

import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.Undoer;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Section;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The routes that undo a change, or end one that is under way.
final class RecordRoutes {
    private final Work work;
    private final Tasks tasks;
    private final ActRoutes answering;

    RecordRoutes(Work work, Tasks tasks, ActRoutes answering) {
        this.work = work;
        this.tasks = tasks;
        this.answering = answering;
    }

    List<Route> routes() {
        return List.of(route("acts/{id}/undo", this::undo), route("acts/{id}/end", this::end));
    }

    private Route route(String template, ActRoutes.Performing performing) {
        return answering.route(
                new ActRoutes.Post(template, Role.OPERATOR, Section.OVERVIEW, Set.of(), performing),
                this::page);
    }

    /// The page of the place that it was about.
    private ActRoutes.Page page(Ask ask) {
        if (ask.fields().one("view").equals("audit")) {
            return new ActRoutes.Page("/audit", Map.of());
        }
        String place = find(ask.inPath("id")).map(AuditEntry::place).orElse("");
        Optional<JobSet> set = Places.set(place);
        Optional<String> queue = Places.queue(place);
        String path =
                set.isPresent()
                        ? switch (set.get()) {
                            case RETRY -> "/retries";
                            case SCHEDULE -> "/scheduled";
                            case DEAD -> "/dead";
                        }
                        : queue.map(name -> "/queues/" + Links.segment(name)).orElse("/audit");
        return new ActRoutes.Page(path, Map.of());
    }

    private Optional<AuditEntry> find(String id) {
        return work.desks().read(desk -> tasks.audit(desk.connection()).find(id));
    }

    private ActOutcome undo(Ask ask) {
        String id = ask.inPath("id");
        AuditEntry entry =
                find(id).orElseThrow(() -> new ActRefusal(404, "no change of late has this id"));
        return work.atOnce(
                ask,
                new Audit.Intent(Act.UNDO, entry.place(), "", entry.act() + " " + entry.id()),
                (desk, _) -> {
                    Undoer undoer = new Undoer(new UndoTable(desk.connection()));
                    Report report = undoer.undo(entry);
                    return new Audit.Came(
                            report,
                            report.touched() > 0
                                    ? ""
                                    : "nothing is left to undo: it is too long ago, was undone, or"
                                            + " the jobs have begun");
                });
    }

    private ActOutcome end(Ask ask) {
        RunningAct running =
                tasks.running(ask.inPath("id"))
                        .orElseThrow(
                                () -> new ActRefusal(404, "no act of this id is under way here"));
        running.end();
        AuditEntry ended = running.await(Work.PATIENCE);
        return ended == null ? new ActOutcome.UnderWay(running) : new ActOutcome.Done(ended);
    }
}
