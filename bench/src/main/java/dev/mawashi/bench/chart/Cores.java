package dev.mawashi.bench.chart;

import static dev.mawashi.bench.chart.Svg.number;

import java.util.List;
import java.util.Locale;

/// The use of each core of a machine over time: one area for each core, below each other.
///
/// @param seconds the end of the time axis
/// @param mark a moment that a thin line shows
/// @param times when each sample ended
/// @param busy of each core and sample, from 0 to 1
public record Cores(
        String title,
        Hue hue,
        double seconds,
        double mark,
        List<Double> times,
        List<List<Double>> busy)
        implements Chart {
    private static final int WIDTH = 360;
    private static final int LEFT = 34;
    private static final int RIGHT = 8;
    private static final int BOTTOM = 20;
    private static final int HEIGHT = 88;
    private static final int STRIP_MIN = 7;
    private static final int GAP = 3;
    private static final int NAMED_MIN = 14;

    public Cores {
        times = List.copyOf(times);
        busy = busy.stream().map(List::copyOf).toList();
    }

    @Override
    public Svg draw() {
        int count = Math.max(1, busy.size());
        int strip = Math.max(STRIP_MIN, HEIGHT / count);
        Axis time = Axis.linear("s", seconds);
        Svg svg = new Svg(WIDTH, strip * count + BOTTOM, describe());
        for (int core = 0; core < busy.size(); core++) {
            double base = (core + 1.0) * strip - GAP;
            double height = strip - GAP;
            svg.rectangle("track", LEFT, base - height, WIDTH - LEFT - RIGHT, height);
            svg.path("area " + hue.css(), area(busy.get(core), time, base, height));
            if (strip >= NAMED_MIN) {
                String name = "cpu" + core;
                svg.text("small", LEFT - 6, base - height / 2 + 4, Svg.Anchor.END, name);
            }
        }
        if (mark > 0 && mark < seconds) {
            double place = across(time, mark);
            svg.line("mark", place, 0, place, strip * (double) count - GAP);
        }
        svg.ticks(time, LEFT, WIDTH - LEFT - RIGHT, strip * (double) count + 13, " s");
        return svg;
    }

    /// Draws steps: each sample holds for the time since the one before it.
    private String area(List<Double> samples, Axis time, double base, double height) {
        StringBuilder steps = new StringBuilder("M" + number(LEFT) + " " + number(base));
        int count = Math.min(samples.size(), times.size());
        for (int i = 0; i < count; i++) {
            double part = Double.isFinite(samples.get(i)) ? Math.clamp(samples.get(i), 0, 1) : 0;
            steps.append('V').append(number(base - part * height));
            steps.append('H').append(number(across(time, times.get(i))));
        }
        return steps.append('V').append(number(base)).append('Z').toString();
    }

    private static double across(Axis time, double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * time.at(value);
    }

    private String describe() {
        double mean =
                busy.stream()
                        .flatMap(List::stream)
                        .mapToDouble(Double::doubleValue)
                        .filter(Double::isFinite)
                        .average()
                        .orElse(0);
        return String.format(
                Locale.ROOT,
                "%s: %d cores, busy for %.0f %% on an average",
                title,
                busy.size(),
                mean * 100);
    }
}
