package dev.mawashi.bench.chart;

import static dev.mawashi.bench.chart.Svg.number;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Lines over one pair of axes, with a legend.
public record Curves(String title, Axis x, Axis y, List<Curve> curves) implements Chart {
    private static final int WIDTH = 360;
    private static final int PLOT = 170;
    private static final int LEFT = 42;
    private static final int RIGHT = 8;
    private static final int BOTTOM = 34;
    private static final int LEGEND_ROW = 17;
    private static final double LETTER = 6.7;
    private static final int SAMPLE = 16;
    private static final int LEGEND_GAP = 14;

    public Curves {
        curves = List.copyOf(curves);
    }

    @Override
    public Svg draw() {
        List<Key> legend = legend();
        int rows = legend.isEmpty() ? 1 : legend.getLast().row() + 1;
        int top = rows * LEGEND_ROW + 20;
        String lines = curves.stream().map(Curve::label).collect(Collectors.joining(", "));
        Svg svg = new Svg(WIDTH, top + PLOT + BOTTOM, title + ": " + lines);
        for (Key key : legend) {
            double middle = key.row() * LEGEND_ROW + 8;
            double end = key.left() + SAMPLE;
            svg.line(classes(key.curve()), key.left(), middle, end, middle);
            svg.text("key", end + 5, middle + 4, Svg.Anchor.START, key.curve().label());
        }
        svg.text("small", 0, top - 8, Svg.Anchor.START, y.label());
        for (Axis.Tick tick : y.ticks()) {
            double place = top + PLOT * (1 - y.at(tick.value()));
            svg.line("grid", LEFT, place, WIDTH - RIGHT, place);
            svg.text("small", LEFT - 6, place + 4, Svg.Anchor.END, tick.text());
        }
        for (Axis.Tick tick : x.ticks()) {
            double place = across(tick.value());
            svg.line("grid", place, top + PLOT, place, top + PLOT + 4);
        }
        svg.ticks(x, LEFT, WIDTH - LEFT - RIGHT, top + PLOT + 16, "");
        svg.text("small", WIDTH, top + PLOT + 30, Svg.Anchor.END, x.label());
        curves.stream()
                .filter(curve -> !curve.points().isEmpty())
                .forEach(curve -> draw(svg, curve, top));
        return svg;
    }

    private void draw(Svg svg, Curve curve, int top) {
        StringBuilder steps = new StringBuilder();
        for (Curve.Point point : curve.points()) {
            steps.append(steps.isEmpty() ? 'M' : 'L')
                    .append(number(across(point.x())))
                    .append(' ')
                    .append(number(top + PLOT * (1 - y.at(point.y()))));
        }
        svg.path(classes(curve), steps.toString());
    }

    private static String classes(Curve curve) {
        return "curve " + (curve.isLimit() ? "limit " : "") + curve.hue().css();
    }

    private double across(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * x.at(value);
    }

    /// The place of a curve's name in the legend.
    private record Key(Curve curve, double left, int row) {}

    private List<Key> legend() {
        List<Key> keys = new ArrayList<>();
        double left = 0;
        int row = 0;
        for (Curve curve : curves) {
            double width = SAMPLE + 5 + curve.label().length() * LETTER;
            if (left > 0 && left + width > WIDTH) {
                left = 0;
                row++;
            }
            keys.add(new Key(curve, left, row));
            left += width + LEGEND_GAP;
        }
        return keys;
    }
}
