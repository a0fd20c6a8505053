package dev.mawashi.bench.chart;

import java.util.List;

/// Bars that lie one below the other, each under its label and with its figure. A thin line shows
/// the range.
///
/// @param decimals of the figures
public record Bars(String title, int decimals, List<Bar> bars) implements Chart {
    private static final int WIDTH = 360;
    private static final int ROW = 38;
    private static final int LABEL = 13;
    private static final int TOP = 19;
    private static final int THICK = 11;
    private static final double GAP = 6;
    private static final double LETTER = 8.2;

    public Bars {
        bars = List.copyOf(bars);
    }

    @Override
    public Svg draw() {
        Svg svg = new Svg(WIDTH, Math.max(1, bars.size()) * ROW, describe());
        double end = bars.stream().mapToDouble(Bar::end).max().orElse(0);
        int letters = bars.stream().mapToInt(bar -> bar.figure(decimals).length()).max().orElse(0);
        double unit = (WIDTH - GAP - letters * LETTER) / (end > 0 ? end : 1);
        for (int i = 0; i < bars.size(); i++) {
            svg.rectangle("track", 0, i * ROW + TOP, unit * end, THICK);
            draw(svg, bars.get(i), i * (double) ROW, unit);
        }
        return svg;
    }

    private void draw(Svg svg, Bar bar, double y, double unit) {
        svg.text("label", 0, y + LABEL, Svg.Anchor.START, bar.label());
        svg.text("small", WIDTH, y + LABEL, Svg.Anchor.END, bar.detail());
        double length = Double.isFinite(bar.value()) ? Math.max(1, bar.value() * unit) : 0;
        svg.rectangle("fill " + bar.hue().css(), 0, y + TOP, length, THICK);
        double end = length;
        if (bar.hasRange()) {
            double middle = y + TOP + THICK / 2.0;
            svg.line("range", bar.min() * unit, middle, bar.max() * unit, middle);
            svg.line("range", bar.min() * unit, middle - 3, bar.min() * unit, middle + 3);
            svg.line("range", bar.max() * unit, middle - 3, bar.max() * unit, middle + 3);
            end = Math.max(end, bar.max() * unit);
        }
        svg.text("figure", end + GAP, y + TOP + THICK - 1, Svg.Anchor.START, bar.figure(decimals));
    }

    private String describe() {
        StringBuilder text = new StringBuilder(title).append(':');
        bars.forEach(bar ->
                text.append(' ')
                        .append(bar.label())
                        .append(' ')
                        .append(bar.figure(decimals))
                        .append(';'));
        return text.toString();
    }
}
