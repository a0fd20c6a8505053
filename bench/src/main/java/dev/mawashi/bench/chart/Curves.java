package dev.mawashi.bench.chart;

import static dev.mawashi.bench.chart.Svg.number;

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
        int rows = legendRows();
        int top = rows * LEGEND_ROW + 20;
        String lines = curves.stream().map(Curve::label).collect(Collectors.joining(", "));
        Svg svg = new Svg(WIDTH, top + PLOT + BOTTOM, title + ": " + lines);
        legend(svg);
        svg.text("small", 0, top - 8, Svg.Anchor.START, y.label());
        for (Axis.Tick tick : y.ticks()) {
            double place = top + PLOT * (1 - y.at(tick.value()));
            svg.line("grid", LEFT, place, WIDTH - RIGHT, place);
            svg.text("small", LEFT - 6, place + 4, Svg.Anchor.END, tick.text());
        }
        for (Axis.Tick tick : x.ticks()) {
            double place = across(tick.value());
            svg.line("grid", place, top + PLOT, place, top + PLOT + 4);
            boolean isLast = tick.equals(x.ticks().getLast());
            Svg.Anchor anchor = isLast ? Svg.Anchor.END : Svg.Anchor.MIDDLE;
            svg.text("small", isLast ? WIDTH : place, top + PLOT + 16, anchor, tick.text());
        }
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

    private void legend(Svg svg) {
        double at = 0;
        int row = 0;
        for (Curve curve : curves) {
            if (at > 0 && at + width(curve) > WIDTH) {
                at = 0;
                row++;
            }
            double middle = row * LEGEND_ROW + 8;
            svg.line(classes(curve), at, middle, at + SAMPLE, middle);
            svg.text("key", at + SAMPLE + 5, middle + 4, Svg.Anchor.START, curve.label());
            at += width(curve) + LEGEND_GAP;
        }
    }

    private int legendRows() {
        double at = 0;
        int rows = 1;
        for (Curve curve : curves) {
            if (at > 0 && at + width(curve) > WIDTH) {
                at = 0;
                rows++;
            }
            at += width(curve) + LEGEND_GAP;
        }
        return rows;
    }

    private static double width(Curve curve) {
        return SAMPLE + 5 + curve.label().length() * LETTER;
    }
}
