package dev.mawashi.api;

import dev.mawashi.desk.Desks;
import dev.mawashi.figures.ClassJson;
import dev.mawashi.figures.ResqueReader;
import dev.mawashi.figures.ResqueStats;
import dev.mawashi.figures.Stats;
import dev.mawashi.figures.WaitReader;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.redisfacts.RedisFactsReader;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.ResqueKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Figures, queues, processes, what they run, and Redis.
final class FigureReads {
    private static final Set<String> PERIOD = Set.of("period");

    private final Desks desks;
    private final InstantSource clock;
    private final ResqueKeys resque;

    FigureReads(Desks desks, InstantSource clock, ResqueKeys resque) {
        this.desks = desks;
        this.clock = clock;
        this.resque = resque;
    }

    List<Route> routes() {
        return List.of(
                Reads.route(Api.ROOT + "/stats", Set.of(), _ -> stats()),
                Reads.route(Api.ROOT + "/queues", Set.of(), _ -> queues()),
                Reads.route(Api.ROOT + "/queues/{name}", Set.of(), this::queue),
                Reads.route(Api.ROOT + "/busy", Set.of(), _ -> busy()),
                Reads.route(Api.ROOT + "/processes", Set.of(), _ -> processes()),
                Reads.route(Api.ROOT + "/processes/{identity}", Set.of(), this::process),
                Reads.route(Api.ROOT + "/classes", PERIOD, this::classes),
                Reads.route(Api.ROOT + "/classes/{name}", PERIOD, this::jobClass),
                Reads.route(Api.ROOT + "/waits", Set.of(), _ -> waits()),
                Reads.route(Api.ROOT + "/redis", Set.of(), _ -> redis()));
    }

    private Answer stats() {
        return Answer.json(
                200,
                desks.read(desk -> desk.inspector().stats().json(desk.inspector().durability())));
    }

    private Answer queues() {
        record Read(List<Stats.QueueStats> queues, List<ResqueStats.Queue> resque) {}
        Read read =
                desks.read(desk ->
                        new Read(
                                desk.inspector().stats().queues(),
                                new ResqueReader(desk.connection(), resque).stats().queues()));
        return Answer.json(
                200,
                new JsonFields()
                        .array(
                                "queues",
                                read.queues().stream().map(Stats.QueueStats::json).toList())
                        .array(
                                "resque",
                                read.resque().stream().map(ResqueStats.Queue::json).toList())
                        .toString());
    }

    private Answer queue(Call call) {
        String name = Reads.name(call, "name");
        return desks.read(desk -> desk.inspector().stats()).queues().stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .map(queue -> Answer.json(200, queue.json()))
                .orElseGet(() -> Reads.gone("there is no such queue"));
    }

    private Answer busy() {
        List<String> jobs =
                desks.read(desk -> desk.processes().work().stream().map(WorkView::json).toList());
        return Answer.json(200, new JsonFields().array("jobs", jobs).toString());
    }

    private Answer processes() {
        Instant now = clock.instant();
        List<String> processes =
                desks.read(desk ->
                        desk.processes().processes().stream()
                                .map(process -> process.json(now))
                                .toList());
        return Answer.json(200, new JsonFields().array("processes", processes).toString());
    }

    private Answer process(Call call) {
        String identity = Reads.name(call, "identity");
        return desks.read(desk -> desk.processes().processes()).stream()
                .filter(process -> process.identity().equals(identity))
                .findFirst()
                .map(process -> Answer.json(200, process.json(clock.instant())))
                .orElseGet(
                        () -> Reads.gone("there is no such process, or it has not beaten of late"));
    }

    private Answer classes(Call call) {
        return Reads.period(call)
                .map(period -> desks.read(desk -> desk.metrics().classes(period)))
                .map(table ->
                        Answer.json(
                                200,
                                new JsonFields()
                                        .text("period", table.period().shown())
                                        .number("total", table.total())
                                        .array(
                                                "classes",
                                                table.classes().stream()
                                                        .map(ClassJson::of)
                                                        .toList())
                                        .toString()))
                .orElseGet(Reads::noPeriod);
    }

    private Answer jobClass(Call call) {
        String name = Reads.name(call, "name");
        return Reads.period(call)
                .map(period -> desks.read(desk -> desk.metrics().one(name, period)))
                .map(runs -> Answer.json(200, ClassJson.whole(runs)))
                .orElseGet(Reads::noPeriod);
    }

    private Answer waits() {
        return Answer.json(
                200,
                desks.read(desk -> ClassJson.ofWaits(desk.waits().waits(), WaitReader.MINUTES)));
    }

    private Answer redis() {
        return Answer.json(
                200,
                desks.read(desk ->
                        new RedisFactsReader(desk.connection(), System::nanoTime).read().json()));
    }
}
