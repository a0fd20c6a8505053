package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.ScaleRace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `mawashi bench scaling`: the servers of each series.
final class Scaling {
    private Scaling() {}

    static Figures measure(Bench bench) throws InterruptedException {
        Map<Scale, Integer> ends = ends(bench);
        return bench.run((_, ground) -> measure(bench, ground, ends));
    }

    /// The series that are measured, and how far each goes.
    private static Map<Scale, Integer> ends(Bench bench) {
        Map<Scale, Integer> ends = new EnumMap<>(Scale.class);
        List<String> named = bench.words("--series");
        for (Scale scale : Scale.values()) {
            if (named.isEmpty() || named.contains(scale.word())) {
                ends.put(scale, scale.usual);
            }
        }
        named.forEach(name -> scale(bench, "--series", name));
        bench.numbers("--to")
                .forEach((name, value) -> {
                    Scale scale = scale(bench, "--to", name);
                    bench.within("--to " + name, value, 1, scale.max);
                    ends.computeIfPresent(scale, (_, _) -> value);
                });
        return ends;
    }

    private static Scale scale(Bench bench, String flag, String name) {
        return Scale.parse(name)
                .orElseThrow(() -> bench.wrong(flag + " " + name + " is none of " + Scale.words()));
    }

    private static Figures measure(Bench bench, Ground ground, Map<Scale, Integer> ends)
            throws InterruptedException {
        List<Point> points = points(bench, ground, ends);
        List<Contestant> contestants = points.stream().map(one -> one.load().contestant()).toList();
        ScaleRace race = new ScaleRace(ground);
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
        return new ScalingFigures(series, Machine.coresHere()).fill(bench.figures(results));
    }

    /// One server of a series.
    ///
    /// @param value the value of the series' scale
    private record Point(Scale scale, int value, ScaleRace.Load load) {}

    private static List<Point> points(Bench bench, Ground ground, Map<Scale, Integer> ends) {
        Contestants all = Contestants.of(ground, "noop.rb");
        List<Point> points = new ArrayList<>();
        ends.forEach((scale, end) -> {
            for (int value : scale.values(end)) {
                bench.enter(all, scale.row(value, bench.row()), bench.number("--jobs"))
                        .map(one -> scale.load(value, one.named(scale.label(value))))
                        .ifPresent(load -> points.add(new Point(scale, value, load)));
            }
        });
        return points;
    }
}
