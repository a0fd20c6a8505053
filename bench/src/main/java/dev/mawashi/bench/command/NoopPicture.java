package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Svg;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Machine;
import java.util.List;
import java.util.stream.Collectors;

/// The one picture of the noop benchmark that stands by itself, as the README shows it.
final class NoopPicture {
    private static final int WIDTH = 760;
    private static final int EDGE = 24;
    private static final int HEAD = 62;
    private static final int ROW = 46;
    private static final int FOOT = 34;
    private static final int LEFT = EDGE + 270;
    private static final int FIGURES = 130;
    private static final int THICK = 24;

    private NoopPicture() {}

    /// @param results ours, and the peer if there is one
    /// @param bars of these
    /// @param redis what the jobs were in
    static String of(List<Result> results, List<Bar> bars, String redis) {
        String described =
                results.stream()
                        .map(one -> name(one) + " " + number(bars.get(results.indexOf(one))))
                        .collect(Collectors.joining("; ", "Jobs per second: ", ""));
        Svg svg = new Svg(WIDTH, HEAD + results.size() * ROW + FOOT, described);
        svg.text("title", EDGE, 32, Svg.Anchor.START, "No-op jobs per second");
        svg.text("small", EDGE, 50, Svg.Anchor.START, what(results));
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        double unit = (WIDTH - EDGE - LEFT - FIGURES) / Math.max(most, 1);
        for (int i = 0; i < results.size(); i++) {
            draw(svg, results.get(i), bars.get(i), unit, HEAD + i * ROW);
        }
        Machine machine = Machine.here();
        double foot = HEAD + results.size() * ROW + 16.0;
        String version = redis.split(" ", 2)[0];
        svg.text(
                "small",
                EDGE,
                foot,
                Svg.Anchor.START,
                "%s cores of %s, shared with Redis %s"
                        .formatted(machine.cores(), machine.processor(), version));
        return svg.document();
    }

    private static String what(List<Result> results) {
        Result ours = results.getFirst();
        Result last = results.getLast();
        String peer =
                last.name().startsWith("mawashi")
                        ? ""
                        : "; Sidekiq: " + jobs(last) + ", its start not counted";
        return "%s jobs, from the command to the last one%s. Medians of %s runs in turn"
                .formatted(jobs(ours), peer, ours.runs().size());
    }

    private static String jobs(Result one) {
        return text("%,d", one.contestant().jobs());
    }

    private static void draw(Svg svg, Result one, Bar bar, double unit, int top) {
        double length = bar.value() * unit;
        String detail = words(one)[1];
        if (one.name().startsWith("mawashi-")) {
            detail = detail.replaceFirst("runner \\w+, ", "");
        }
        svg.text("label", EDGE, top + 15.0, Svg.Anchor.START, name(one));
        svg.text("small", EDGE, top + 31.0, Svg.Anchor.START, detail);
        svg.rectangle("fill " + bar.hue().css(), LEFT, top + 6.0, length, THICK);
        // The picture itself names the reference.
        String times = bar.detail().replaceFirst("(.*? x) .*", " ($1)");
        svg.text("figure", LEFT + length + 8, top + 22.0, Svg.Anchor.START, number(bar) + times);
    }

    private static String name(Result one) {
        return switch (one.name()) {
            case "mawashi-mri" -> "Mawashi on MRI";
            case "mawashi-jruby" -> "Mawashi on JRuby";
            case "mawashi" -> "Mawashi";
            default -> words(one)[0];
        };
    }

    /// The program, and how it was run.
    private static String[] words(Result one) {
        String description = one.contestant().description();
        return description.replace(", log level warn", "").split(", ", 2);
    }

    private static String number(Bar bar) {
        return text("%,.0f", bar.value());
    }
}
