package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
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
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench scaling --report scaling.html",
            "  mawashi bench scaling --series threads,queues --to threads=50,queues=10",
            "  mawashi bench scaling --series backlog --to backlog=5000000 --runs 3",
        })
final class ScalingCommand implements Callable<Integer> {
    /// What a queue may take of the memory, however large its jobs are.
    private static final int QUEUE_BYTES_MAX = 400_000_000;

    private static final int CHILD_THREADS = 10;

    @Mixin private final Bench bench;

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

    ScalingCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        Row row = bench.row(word);
        Map<Scale, Integer> ends = ends();
        return bench.run(ground -> {
            List<ScalePoint> points = points(ground, row, ends);
            if (points.isEmpty()) {
                throw new BenchFailure("nothing is left to measure");
            }
            ScaleRace race = new ScaleRace(ground);
            Map<Contestant, List<Lap>> runs =
                    bench.takeTurns(
                            points.stream().map(ScalePoint::contestant).toList(),
                            one -> race.run(point(points, one)),
                            Lap::summary);
            Map<ScalePoint, List<Lap>> laps = new LinkedHashMap<>();
            runs.forEach((one, figures) -> laps.put(point(points, one), figures));
            return new ScalingReport(
                    Machine.here(), ground.redis().description(), laps, bench.notes());
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
        asked.forEach(scale -> ends.put(scale, scale.usual()));
        last.forEach((name, value) -> {
            Scale scale = scale("--to", name);
            bench.within("--to " + name, value, scale.max());
            ends.computeIfPresent(scale, (_, _) -> value);
        });
        return ends;
    }

    private Scale scale(String flag, String name) {
        return Scale.parse(name)
                .orElseThrow(() -> bench.wrong(flag + " " + name + " is none of " + Scale.words()));
    }

    private static ScalePoint point(List<ScalePoint> points, Contestant contestant) {
        return points.stream()
                .filter(point -> point.contestant().equals(contestant))
                .findFirst()
                .orElseThrow();
    }

    private List<ScalePoint> points(Ground ground, Row row, Map<Scale, Integer> ends) {
        Contestants all = new Contestants(ground, "noop.rb");
        Function<Row, Optional<Contestant>> enter =
                one -> bench.enter(all, Map.of(one, jobs)).stream().findFirst();
        List<ScalePoint> points = new ArrayList<>();
        ends.forEach((scale, end) -> {
            for (int value : scale.values(end)) {
                enter.apply(row(scale, value, row))
                        .map(one -> point(scale, value, one.named(scale.label(value))))
                        .ifPresent(points::add);
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

    private ScalePoint point(Scale scale, int value, Contestant one) {
        List<String> queues = BenchRedis.queues(1);
        return switch (scale) {
            case THREADS, CHILDREN -> new ScalePoint(scale, value, one, queues, Payloads.NOOP, 0);
            case BACKLOG -> new ScalePoint(scale, value, one, queues, Payloads.NOOP, value);
            case PROCESSES ->
                    new ScalePoint(scale, value, one.times(value), queues, Payloads.NOOP, 0);
            case PAYLOAD -> {
                Contestant fewer = one.doing(Math.clamp(QUEUE_BYTES_MAX / value, 1, jobs));
                yield new ScalePoint(scale, value, fewer, queues, Payloads.text(value), 0);
            }
            case QUEUES -> {
                List<String> many = BenchRedis.queues(value);
                Contestant even = one.withQueues(many).doing(Math.max(1, jobs / value) * value);
                yield new ScalePoint(scale, value, even, many, Payloads.NOOP, 0);
            }
        };
    }
}
