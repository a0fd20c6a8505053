package dev.mawashi.bench.report;

import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Hue;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Run;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// A contestant with its runs.
public record Result(Contestant contestant, List<Run> runs) {
    public Result {
        runs = List.copyOf(runs);
    }

    public String name() {
        return contestant.name();
    }

    public Spread spread(String field) {
        return Spread.of(runs.stream().map(run -> run.of(field)).toList());
    }

    public double median(String field) {
        return spread(field).median();
    }

    /// The run with the median of a figure.
    public Run middle(String field) {
        List<Run> sorted =
                runs.stream().sorted(Comparator.comparingDouble(run -> run.of(field))).toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    /// What kind of server it is: the name without its numbers.
    String kind() {
        return name().replaceFirst("-\\d[\\dx]*\\b.*", "");
    }

    /// The same colour in all charts, and one for each kind of server.
    public Hue hue() {
        return switch (kind()) {
            // These two have numbers where a server is meant, and none where only Ruby is.
            case "jruby" -> name().equals("jruby") ? Hue.PURPLE : Hue.BLUE;
            case "mri" -> name().equals("mri") ? Hue.ORANGE : Hue.TEAL;
            case "mawashi-mri", "long queue" -> Hue.TEAL;
            case "fork" -> Hue.PURPLE;
            case "sidekiq", "sidekiq-yjit", "sidekiq-jruby" -> Hue.ORANGE;
            case "mri-yjit", "resque" -> Hue.PINK;
            case "loop" -> Hue.GREY;
            default -> Hue.BLUE;
        };
    }

    /// A bar of a figure, with its range.
    public Bar bar(String label, String detail, String field) {
        Spread spread = spread(field);
        return new Bar(label, detail, spread.median(), spread.min(), spread.max(), hue());
    }

    /// A line in its colour.
    ///
    /// @param across the places of the points on the axis, as many as `up`
    public Curve curve(String label, List<Double> across, List<Double> up) {
        List<Curve.Point> points =
                IntStream.range(0, up.size())
                        .mapToObj(i -> new Curve.Point(across.get(i), up.get(i)))
                        .toList();
        return new Curve(label, hue(), false, points);
    }

    public boolean isSidekiq() {
        return kind().startsWith("sidekiq");
    }

    public boolean isOurs() {
        return switch (kind()) {
            case "sidekiq", "sidekiq-yjit", "sidekiq-jruby", "resque", "loop", "short queue" ->
                    false;
            default -> true;
        };
    }

    /// How much it does, where that is a number of jobs, and what it is.
    String description() {
        int jobs = contestant.jobs();
        String many = jobs == 0 ? "" : Wording.text("%,d jobs per run: ", jobs);
        return many + contestant.description();
    }
}
