package dev.mawashi.bench.report;

import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Svg;
import dev.mawashi.bench.rig.Machine;
import java.util.List;
import java.util.function.UnaryOperator;

/// A picture of charts, two in a row, that stands by itself, as docs/performance.md shows it.
public final class ChartPicture {
    private static final int EDGE = 24;
    private static final int HEAD = 62;
    private static final int COLUMNS = 2;
    private static final int CELL_WIDTH = 384;
    private static final int TITLE = 18;
    private static final int GAP = 16;

    private ChartPicture() {}

    /// @param note what the charts count
    /// @param label what stands over a chart with that title
    public static String of(
            String title, String note, List<Chart> charts, UnaryOperator<String> label) {
        List<Svg> drawings = charts.stream().map(Chart::draw).toList();
        int tallest = drawings.stream().mapToInt(Svg::height).max().orElse(0);
        int cell = TITLE + tallest + GAP;
        int rows = (charts.size() + COLUMNS - 1) / COLUMNS;
        Svg svg = new Svg(2 * EDGE + COLUMNS * CELL_WIDTH, HEAD + rows * cell, title);
        Machine machine = Machine.here();
        svg.text("title", EDGE, 32, Svg.Anchor.START, title);
        svg.text(
                "small",
                EDGE,
                50,
                Svg.Anchor.START,
                "%s; %s cores of %s".formatted(note, machine.cores(), machine.processor()));
        for (int i = 0; i < charts.size(); i++) {
            int left = EDGE + i % COLUMNS * CELL_WIDTH;
            int top = HEAD + i / COLUMNS * cell;
            String over = label.apply(charts.get(i).title());
            svg.text("label", left, top + 10.0, Svg.Anchor.START, over);
            svg.place(left, top + TITLE, drawings.get(i));
        }
        return svg.document();
    }
}
