package dev.mawashi.bench;

import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Svg;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The one picture of the noop benchmark that stands by itself, as the README shows it.
final class Picture {
    private static final int WIDTH = 760;
    private static final int EDGE = 24;
    private static final int HEAD = 62;
    private static final int ROW = 46;
    private static final int FOOT = 34;
    private static final int LABELS = 270;
    private static final int FIGURES = 130;
    private static final int THICK = 24;

    private Picture() {}

    static String of(Results results) {
        List<Row> rows =
                new NoopSection(results)
                        .rates().entrySet().stream()
                                .map(entry -> Row.of(entry.getKey(), entry.getValue()))
                                .toList();
        String text =
                rows.stream()
                        .map(row -> row.name() + " " + number(row.bar().value()))
                        .collect(Collectors.joining("; "));
        Svg svg = new Svg(WIDTH, HEAD + rows.size() * ROW + FOOT, "Jobs a second: " + text);
        svg.text("title", EDGE, 32, Svg.Anchor.START, "No-op jobs a second");
        svg.text("small", EDGE, 50, Svg.Anchor.START, what(results));
        double most = rows.stream().mapToDouble(row -> row.bar().value()).max().orElse(1);
        double unit = (WIDTH - 2.0 * EDGE - LABELS - FIGURES) / Math.max(most, 1);
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i).draw(svg, HEAD + i * ROW, unit);
        }
        double foot = HEAD + rows.size() * ROW + 16.0;
        svg.text("small", EDGE, foot, Svg.Anchor.START, where(results));
        return svg.document();
    }

    private static String what(Results results) {
        Contestant ours = results.ours().getFirst();
        String peer =
                results.peer()
                        .map(one ->
                                String.format(
                                        Locale.ROOT,
                                        "; Sidekiq: %,d, its start not counted",
                                        one.jobs()))
                        .orElse("");
        return String.format(
                Locale.ROOT,
                "%,d jobs, from the command to the last one%s. Medians of %d runs in turn",
                ours.jobs(),
                peer,
                results.runsOf(ours).size());
    }

    private static String where(Results results) {
        Machine machine = results.machine();
        return "%d cores of %s, shared with Redis %s"
                .formatted(machine.cores(), machine.processor(), results.redis().split(" ", 2)[0]);
    }

    /// A bar and what stands before it.
    private record Row(String name, String detail, Bar bar) {
        static Row of(Contestant one, Bar bar) {
            String description = one.description().replace(", log level warn", "");
            String[] words = description.split(", ", 2);
            return switch (one.name()) {
                case "mawashi-mri" -> new Row("Mawashi on MRI", configuration(words[1]), bar);
                case "mawashi-jruby" -> new Row("Mawashi on JRuby", configuration(words[1]), bar);
                case "mawashi" -> new Row("Mawashi", words[1], bar);
                default -> new Row(words[0], words[1], bar);
            };
        }

        private static String configuration(String words) {
            return words.replaceFirst("runner \\w+, ", "");
        }

        void draw(Svg svg, int top, double unit) {
            double left = EDGE + (double) LABELS;
            double length = bar.value() * unit;
            svg.text("label", EDGE, top + 15.0, Svg.Anchor.START, name);
            svg.text("small", EDGE, top + 31.0, Svg.Anchor.START, detail);
            svg.rectangle("fill " + bar.hue().css(), left, top + 6.0, length, THICK);
            // Of what, the picture says itself.
            String times =
                    bar.detail().isEmpty()
                            ? ""
                            : " (" + bar.detail().replaceFirst(" x .*", " x") + ")";
            svg.text(
                    "figure",
                    left + length + 8,
                    top + 22.0,
                    Svg.Anchor.START,
                    number(bar.value()) + times);
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
