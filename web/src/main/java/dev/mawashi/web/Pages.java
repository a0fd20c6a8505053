package dev.mawashi.web;

import dev.mawashi.acts.Acts;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.desk.RedisAway;
import dev.mawashi.figures.Period;
import dev.mawashi.figures.ResqueReader;
import dev.mawashi.figures.ResqueStats;
import dev.mawashi.figures.RunTimes;
import dev.mawashi.figures.Stats;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.StackView;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.live.Pulse;
import dev.mawashi.pages.OverviewPage;
import dev.mawashi.pages.ProcessesPage;
import dev.mawashi.pages.ProfilePage;
import dev.mawashi.pages.QueuesPage;
import dev.mawashi.pages.RedisPage;
import dev.mawashi.pages.Section;
import dev.mawashi.pages.Shell;
import dev.mawashi.pages.Shells;
import dev.mawashi.pages.SorryPage;
import dev.mawashi.pages.StackPage;
import dev.mawashi.pages.Templates;
import dev.mawashi.pages.ThreadsPage;
import dev.mawashi.redisfacts.Durability;
import dev.mawashi.redisfacts.RedisFactsReader;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.ResqueKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/// The routes of the pages.
final class Pages {
    private static final Map<Section, JobSet> SETS =
            Map.of(
                    Section.RETRIES, JobSet.RETRY,
                    Section.SCHEDULED, JobSet.SCHEDULE,
                    Section.DEAD, JobSet.DEAD);

    private final Desks desks;
    private final JobPages jobs;
    private final ProcessQuestions questions;
    private final ProcessPages processes;
    private final ClassPages classes;
    private final CronPages cron;
    private final LockPages locks;
    private final Pulse pulse = new Pulse(System::nanoTime);
    private final Templates templates;
    private final Shells shells;
    private final Acts acts;
    private final ResqueKeys resque;
    private final FailedPages failed;
    private final Drains drains = new Drains(System::nanoTime);

    Pages(
            Desks desks,
            ProcessQuestions questions,
            Shells shells,
            Templates templates,
            Acts acts,
            ResqueKeys resque) {
        this.desks = desks;
        this.questions = questions;
        processes = new ProcessPages(desks, questions, resque);
        cron = new CronPages(desks);
        locks = new LockPages(desks);
        this.templates = templates;
        this.acts = acts;
        this.resque = resque;
        failed = new FailedPages(desks, resque, System::nanoTime);
        jobs = new JobPages(desks, System::nanoTime);
        classes = new ClassPages(desks);
        this.shells = shells;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>(Assets.routes());
        routes.add(page(Section.OVERVIEW, "/", (shell, _) -> overview(shell)));
        routes.add(page(Section.QUEUES, "/queues", this::queues));
        routes.add(page(Section.CRON, "/cron", (shell, _) -> html("cron", cron.all(shell))));
        routes.add(page(Section.CRON, "/cron/{name}", this::schedule));
        routes.add(
                page(
                        Section.QUEUES,
                        "/locks",
                        (shell, call) -> html("locks", locks.list(shell, call))));
        routes.add(page(Section.QUEUES, "/queues/{name}", this::queue));
        routes.add(page(Section.BUSY, "/busy", (shell, _) -> html("busy", processes.busy(shell))));
        routes.add(page(Section.BUSY, "/busy/{identity}/{slot}", this::stack));
        routes.add(page(Section.PROCESSES, "/processes", (shell, _) -> processes(shell)));
        routes.add(page(Section.OVERVIEW, "/audit", (shell, _) -> html("audit", acts.page(shell))));
        routes.add(page(Section.PROCESSES, "/processes/{identity}", this::process));
        routes.add(page(Section.PROCESSES, "/processes/{identity}/threads", this::threads));
        routes.add(page(Section.BUSY, "/profile", this::profile));
        routes.add(page(Section.JVM, "/jvm", (shell, _) -> html("jvm", processes.machines(shell))));
        routes.add(page(Section.REDIS, "/redis", (shell, _) -> redis(shell)));
        routes.add(
                page(
                        Section.FAILED,
                        "/failed",
                        (shell, call) -> html("failed", failed.list(shell, call))));
        routes.add(page(Section.FAILED, "/failed/{list}/{place}", this::failure));
        routes.add(
                page(
                        Section.CLASSES,
                        "/classes",
                        (shell, call) -> html("classes", classes.all(shell, call))));
        routes.add(
                page(
                        Section.CLASSES,
                        "/classes/{name}",
                        (shell, call) -> html("jobclass", classes.one(shell, call))));
        routes.addAll(sets());
        return routes;
    }

    private List<Route> sets() {
        List<Route> routes = new ArrayList<>();
        SETS.forEach((section, set) -> {
            routes.add(
                    page(
                            section,
                            section.path(),
                            (shell, call) ->
                                    html("jobs", jobs.set(shell, set, section.label(), call))));
            routes.add(
                    page(
                            section,
                            section.path() + "/{key}",
                            (shell, call) -> entry(shell, set, call)));
            routes.add(
                    page(
                            section,
                            section.path() + "/{key}/payload",
                            (shell, call) -> payload(shell, set, call)));
        });
        return routes;
    }

    private Route page(Section section, String path, BiFunction<Shell, Call, Answer> making) {
        return Route.get(
                path,
                Role.VIEWER,
                call -> {
                    Shell shell = shells.shell(section, call.role());
                    try {
                        String done = field(call, "done");
                        return making.apply(shell.with(acts.flash(done)), call);
                    } catch (QueryFields.NoTime wrong) {
                        return sorry(400, shell, "Not a valid time", "" + wrong.getMessage());
                    } catch (RedisAway away) {
                        String why = away.isRefusal() ? "refuses that" : "does not answer now";
                        return sorry(
                                away.status(),
                                shell,
                                away.title(),
                                "This page is read from Redis, which "
                                        + why
                                        + ": "
                                        + away.reason()
                                        + ".");
                    }
                });
    }

    private Answer html(String template, Record page) {
        return Answer.html(200, templates.render(template, page));
    }

    private Answer sorry(int status, Shell shell, String title, String reason) {
        return Answer.html(status, templates.render("sorry", new SorryPage(shell, title, reason)));
    }

    private Answer overview(Shell shell) {
        record Read(
                Stats stats,
                Durability durability,
                RunTimes times,
                RunTimes waits,
                List<ProcessRecord> processes) {}
        Read read =
                desks.read(desk ->
                        new Read(
                                desk.inspector().stats(),
                                desk.inspector().durability(),
                                desk.metrics().classes(Period.MINUTES_15).times(),
                                desk.waits().waits(),
                                desk.processes().processes()));
        Pulse.Rate rate = pulse.rate(read.stats());
        return html(
                "overview",
                new OverviewPage(
                        shell,
                        read.stats(),
                        read.durability(),
                        rate.processed(),
                        rate.failed(),
                        read.times(),
                        read.waits(),
                        read.processes()));
    }

    private Answer queues(Shell shell, Call call) {
        record Read(List<Stats.QueueStats> queues, ResqueStats resque) {}
        Read read =
                desks.read(desk ->
                        new Read(
                                desk.inspector().stats().queues(),
                                new ResqueReader(desk.connection(), resque).stats()));
        String sort = field(call, "sort");
        return html(
                "queues",
                new QueuesPage(
                        shell, read.queues(), sort, drains.drains(read.queues()), read.resque()));
    }

    private Answer schedule(Shell shell, Call call) {
        return cron.one(shell, call)
                .map(page -> html("schedule", page))
                .orElseGet(() ->
                        sorry(
                                404,
                                shell,
                                "The schedule is gone",
                                "No server that runs has a schedule of this name."));
    }

    private Answer queue(Shell shell, Call call) {
        String name = call.path().getOrDefault("name", "");
        return html("jobs", jobs.queue(shell, name, call));
    }

    private Answer entry(Shell shell, JobSet set, Call call) {
        String key = call.path().getOrDefault("key", "");
        return jobs.entry(shell, set, shell.section().label(), key)
                .map(page -> html("job", page))
                .orElseGet(() -> gone(shell));
    }

    private Answer payload(Shell shell, JobSet set, Call call) {
        return jobs.payload(set, call.path().getOrDefault("key", ""))
                .map(Answer::bytes)
                .orElseGet(() -> gone(shell));
    }

    private Answer gone(Shell shell) {
        return sorry(
                404,
                shell,
                "The job is gone",
                "It is not in this set any more: it ran, or somebody moved or deleted it.");
    }

    private Answer processes(Shell shell) {
        return html(
                "processes",
                desks.read(desk ->
                        new ProcessesPage(
                                shell,
                                desk.processes().processes(),
                                new ResqueReader(desk.connection(), resque).stats().workers())));
    }

    private Answer redis(Shell shell) {
        return html(
                "redis",
                desks.read(desk ->
                        new RedisPage(
                                shell,
                                new RedisFactsReader(desk.connection(), System::nanoTime).read())));
    }

    private Answer failure(Shell shell, Call call) {
        return failed.one(shell, call)
                .map(page -> html("failure", page))
                .orElseGet(() ->
                        sorry(
                                404,
                                shell,
                                "The record is gone",
                                "It is not at this place of its list any more: somebody has"
                                        + " removed it, or others before it."));
    }

    private Answer process(Shell shell, Call call) {
        return processes
                .process(shell, call.path().getOrDefault("identity", ""))
                .map(page -> html("process", page))
                .orElseGet(() ->
                        sorry(
                                404,
                                shell,
                                "The process is gone",
                                "No live process has this identity: it has ended, or has not been"
                                        + " heard of for a minute."));
    }

    private Answer profile(Shell shell, Call call) {
        ProfilePage page = processes.profile(shell, field(call, "what"), field(call, "seconds"));
        return html("profile", page);
    }

    private static String field(Call call, String name) {
        return call.query().getOrDefault(name, List.of("")).getFirst();
    }

    private Answer threads(Shell shell, Call call) {
        String identity = call.path().getOrDefault("identity", "");
        Reply reply = questions.ask(identity, Question.Kind.THREADS, "");
        return reply instanceof Reply.Answered answered
                ? html("threads", new ThreadsPage(shell, identity, answered.text()))
                : unanswered(shell, reply);
    }

    private Answer stack(Shell shell, Call call) {
        String identity = call.path().getOrDefault("identity", "");
        String slot = call.path().getOrDefault("slot", "");
        Reply reply = questions.ask(identity, Question.Kind.STACK, slot);
        return reply instanceof Reply.Answered answered
                ? html("stack", new StackPage(shell, identity, StackView.of(answered.text())))
                : unanswered(shell, reply);
    }

    private Answer unanswered(Shell shell, Reply reply) {
        return sorry(
                404,
                shell,
                "The process did not answer",
                "There is no answer: " + reply.problem() + ".");
    }
}
