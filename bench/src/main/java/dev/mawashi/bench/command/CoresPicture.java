package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Svg;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Machine;
import java.util.List;

/// The picture of how busy the cores were in a race, as docs/performance.md shows it.
final class CoresPicture {
    private static final int EDGE = 24;
    private static final int HEAD = 62;
    private static final int COLUMNS = 2;
    private static final int CELL_WIDTH = 384;
    private static final int CELL_HEIGHT = 142;
    private static final int TITLE = 18;

    private CoresPicture() {}

    /// @param title what the race was
    /// @param cores charts of the results that have any, in their order
    static String of(String title, List<Result> results, Part cores) {
        List<Chart> charts = cores.charts();
        int rows = (charts.size() + COLUMNS - 1) / COLUMNS;
        Svg svg =
                new Svg(
                        2 * EDGE + COLUMNS * CELL_WIDTH,
                        HEAD + rows * CELL_HEIGHT,
                        title + ": how busy the cores were");
        Machine machine = Machine.here();
        svg.text("title", EDGE, 32, Svg.Anchor.START, title);
        svg.text(
                "small",
                EDGE,
                50,
                Svg.Anchor.START,
                "%d cores of %s, with Redis and all, from the command to the last job"
                        .formatted(machine.cores(), machine.processor()));
        for (int i = 0; i < charts.size(); i++) {
            int left = EDGE + i % COLUMNS * CELL_WIDTH;
            int top = HEAD + i / COLUMNS * CELL_HEIGHT;
            Chart chart = charts.get(i);
            String rate =
                    results.stream()
                            .filter(one -> one.name().equals(chart.title()))
                            .map(one -> text(": %,.0f jobs/s", one.median("jobs_per_second")))
                            .findFirst()
                            .orElse("");
            svg.text("label", left, top + 10.0, Svg.Anchor.START, chart.title() + rate);
            svg.place(left, top + TITLE, chart.draw());
        }
        return svg.document();
    }
}
