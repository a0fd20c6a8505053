package dev.mawashi.acts;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.desk.Desk;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.inspect.TimeText;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.SetOperator;
import dev.mawashi.pages.Section;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The routes that change retries, scheduled and dead jobs.
final class SetRoutes {
    /// The years in which jobs may be due: Redis and Sidekiq take any number for a time.
    private static final Duration DUE_MAX = Duration.ofDays(100 * 366);

    private static final int DEAD_MAX = 100_000_000;

    private final Work work;
    private final ActRoutes answering;
    private final InstantSource clock;

    SetRoutes(Work work, ActRoutes answering, InstantSource clock) {
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
        List<Route> routes = new ArrayList<>();
        for (Act act : Act.of(set)) {
            routes.add(route(section, act, ask -> perform(ask, set, act)));
        }
        routes.add(route(section, Act.CLEAR, ask -> clear(ask, set)));
        return routes;
    }

    private Route route(Section section, Act act, ActRoutes.Performing performing) {
        return answering.route(
                new ActRoutes.Post(
                        section.path().substring(1) + "/" + act.word(),
                        Work.role(act),
                        section,
                        Chosen.fields(QueryFields.ofSets(), act),
                        performing),
                ask -> new ActRoutes.Page(section.path(), Chosen.query(ask)));
    }

    private ActOutcome perform(Ask ask, JobSet set, Act act) {
        Change change = change(act, ask.fields());
        Chosen chosen = Chosen.of(ask.fields(), QueryFields.ofSets(), clock.instant());
        Audit.Intent intent = change.intent(Places.of(set), chosen.words());
        return switch (chosen) {
            case Chosen.Rows rows -> {
                rows.entries();
                if (act == Act.BURY) {
                    confirmTrim(ask, change, rows.keys().size());
                }
                yield work.atOnce(
                        ask, intent, (desk, keeping) -> rows(desk, set, rows, change, keeping));
            }
            case Chosen.Matching(var selection) -> {
                if (act == Act.BURY) {
                    ask.require(Role.ADMIN);
                }
                yield work.many(
                        ask,
                        change,
                        new Work.Jobs(
                                intent,
                                selection,
                                connection -> new SetOperator(set, connection, clock)),
                        Work.KEPT);
            }
        };
    }

    /// @throws Refusal when its fields make no sense
    private Change change(Act act, PostedFields asked) {
        return switch (act) {
            case RESCHEDULE -> Change.reschedule(due(asked, clock.instant()));
            case REQUEUE -> Change.to(act, QueueName.of(asked, "to"));
            case BURY -> {
                DeadLimits usual = DeadLimits.DEFAULT;
                int most = asked.number("dead_max", usual.maxJobs(), 1, DEAD_MAX);
                yield Change.bury(new DeadLimits(most, usual.maxAge()));
            }
            default -> Change.of(act);
        };
    }

    private static Instant due(PostedFields asked, Instant now) {
        String in = asked.one("in");
        String at = asked.one("at");
        if (in.isEmpty() == at.isEmpty()) {
            throw ActRefusal.wrong("when? Give one of the fields in (such as 2h) and at");
        }
        Instant due =
                in.isEmpty()
                        ? TimeText.instant(at).orElseThrow(() -> noTime(at, TimeText.TIMES))
                        : now.plus(TimeText.span(in).orElseThrow(() -> noTime(in, TimeText.SPANS)));
        if (due.isBefore(Instant.EPOCH) || due.isAfter(now.plus(DUE_MAX))) {
            throw ActRefusal.wrong(due + " is not within a hundred years");
        }
        return due;
    }

    private static ActRefusal noTime(String text, String forms) {
        return ActRefusal.wrong(text + " is not a time: write " + forms);
    }

    /// Jobs that leave the full dead set when others come cannot be had back.
    private void confirmTrim(Ask ask, Change bury, int count) {
        long size = work.desks().read(desk -> desk.jobs().size(JobSet.DEAD));
        if (size + count >= bury.dead().maxJobs()) {
            ask.confirm(
                    "Bury " + ActText.jobs(count) + "?",
                    "The dead set is full, so its oldest jobs leave it for good.");
        }
    }

    private Audit.Came rows(
            Desk desk, JobSet set, Chosen.Rows rows, Change change, Keeping keeping) {
        List<JobEntry> found = desk.jobs().at(set, rows.entries());
        Report done =
                new SetOperator(set, desk.connection(), clock).perform(change, found, keeping);
        return Audit.Came.to(done.plus(Report.gone(rows.keys().size() - found.size())));
    }

    private ActOutcome clear(Ask ask, JobSet set) {
        long size = work.desks().read(desk -> desk.jobs().size(set));
        ask.confirm(
                "Delete all " + ActText.jobs(size) + " of " + ActText.place(set.key()) + "?",
                size > Keeping.JOBS_MAX
                        ? "That many cannot be had back."
                        : "They can be had back for ten minutes.");
        return work.task(
                ask,
                Change.of(Act.CLEAR).intent(Places.of(set), "all"),
                _ -> size,
                (connection, keeping, _) ->
                        Audit.Came.to(
                                Report.touched(new SetEditing(connection).clear(set, keeping))));
    }
}
