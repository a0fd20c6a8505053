package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchRedis;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.ScaleRace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench scaling`.
@Command(
        name = "scaling",
        description = {
            "No-op jobs of a warm server with more and more threads, MRI children, bytes a job,"
                    + " queues, jobs waiting, and servers on one Redis: jobs a second, what a job"
                    + " costs the server and Redis, and what bounds it."
        },
        footer = {
            "  mawashi bench scaling --report scaling.html",
            "  mawashi bench scaling --series threads,queues --to threads=50,queues=10",
            "  mawashi bench scaling --series backlog --to backlog=5000000 --runs 3",
        })
final class ScalingCommand implements Callable<Figures> {
    /// The memory that a queue may take, however large its jobs are.
    private static final int QUEUE_BYTES_MAX = 400_000_000;

    private static final int CHILD_THREADS = 10;

    @Mixin private final Bench bench = new Bench();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a lap, of three (300000).")
    private int jobs = 300_000;

    @Option(
            names = "--series",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Only these of threads, children, payload, queues, backlog, processes (all).")
    private List<String> series = new ArrayList<>();

    @Option(
            names = "--to",
            paramLabel = "NAME=N",
            split = ",",
            description =
                    "How far a series goes (threads=500, children=8, payload=1000000, queues=1000,"
                            + " backlog=1000000, processes=4).")
    private Map<String, Integer> last = new LinkedHashMap<>();

    @Option(
            names = "--row",
            paramLabel = "ROW",
            description = "Who runs the jobs where that is not what changes (jruby-10).")
    private String word = "jruby-10";

    /// One server of a series.
    ///
    /// @param value the value of the series' scale
    private record Point(Scale scale, int value, ScaleRace.Load load) {}

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        Row row = bench.row("--row", word);
        Map<Scale, Integer> ends = ends();
        return bench.run(ground -> {
            List<Point> points = points(ground, row, ends);
            ScaleRace race = new ScaleRace(ground);
            List<Contestant> contestants =
                    points.stream().map(one -> one.load().contestant()).toList();
            List<Result> results =
                    bench.takeTurns(
                            contestants,
                            one -> race.run(points.get(contestants.indexOf(one)).load()),
                            ScalingFigures.COLUMNS);
            Map<Scale, Map<Integer, Result>> series = new EnumMap<>(Scale.class);
            for (int i = 0; i < points.size(); i++) {
                series.computeIfAbsent(points.get(i).scale(), _ -> new LinkedHashMap<>())
                        .put(points.get(i).value(), results.get(i));
            }
            return new ScalingFigures(series, Machine.coresHere())
                    .fill(bench.figures(ground, results));
        });
    }

    /// The series that are measured, and how far each goes.
    private Map<Scale, Integer> ends() {
        Map<Scale, Integer> ends = new EnumMap<>(Scale.class);
        Set<Scale> named =
                series.stream()
                        .map(name -> scale("--series", name))
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scale.class)));
        Set<Scale> asked = named.isEmpty() ? EnumSet.allOf(Scale.class) : named;
        asked.forEach(scale -> ends.put(scale, scale.usual));
        last.forEach((name, value) -> {
            Scale scale = scale("--to", name);
            bench.within("--to " + name, value, scale.max);
            ends.computeIfPresent(scale, (_, _) -> value);
        });
        return ends;
    }

    private Scale scale(String flag, String name) {
        return Scale.parse(name)
                .orElseThrow(() -> bench.wrong(flag + " " + name + " is none of " + Scale.words()));
    }

    private List<Point> points(Ground ground, Row row, Map<Scale, Integer> ends) {
        Contestants all = Contestants.of(ground, "noop.rb");
        List<Point> points = new ArrayList<>();
        ends.forEach((scale, end) -> {
            for (int value : scale.values(end)) {
                for (Contestant one :
                        bench.enter(all, List.of(row(scale, value, row)), _ -> jobs)) {
                    Contestant named = one.named(scale.label(value));
                    points.add(new Point(scale, value, load(scale, value, named)));
                }
            }
        });
        return points;
    }

    private static Row row(Scale scale, int value, Row row) {
        return switch (scale) {
            case THREADS -> new Row(Row.Kind.JRUBY, 1, value);
            case CHILDREN -> new Row(Row.Kind.MRI, value, CHILD_THREADS);
            case PAYLOAD, QUEUES, BACKLOG, PROCESSES -> row;
        };
    }

    private ScaleRace.Load load(Scale scale, int value, Contestant one) {
        List<String> queues = BenchRedis.queues(scale == Scale.QUEUES ? value : 1);
        int behind = scale == Scale.BACKLOG ? value : 0;
        Payloads payloads = scale == Scale.PAYLOAD ? Payloads.text(value) : Payloads.NOOP;
        Contestant changed =
                switch (scale) {
                    case THREADS, CHILDREN, BACKLOG -> one;
                    case PROCESSES -> one.times(value);
                    case PAYLOAD -> one.doing(Math.clamp(QUEUE_BYTES_MAX / value, 1, jobs));
                    // Rounded, so that each queue gets the same number of jobs.
                    case QUEUES -> one.withQueues(queues).doing(Math.max(1, jobs / value) * value);
                };
        return new ScaleRace.Load(changed, queues, payloads, behind);
    }
}
