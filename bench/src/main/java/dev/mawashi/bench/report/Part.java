package dev.mawashi.bench.report;

import dev.mawashi.bench.chart.Chart;
import java.util.ArrayList;
import java.util.List;

/// Tables and charts of a benchmark that belong together.
///
/// @param title may be empty
/// @param sentences what the figures say
/// @param hint how to read the charts; may be empty
public record Part(
        String title,
        List<FigureTable> tables,
        List<String> sentences,
        List<Chart> charts,
        String hint) {
    public Part {
        tables = List.copyOf(tables);
        sentences = List.copyOf(sentences);
        charts = List.copyOf(charts);
    }

    public static Part of(String title) {
        return new Part(title, List.of(), List.of(), List.of(), "");
    }

    public Part with(FigureTable table) {
        return new Part(title, plus(tables, table), sentences, charts, hint);
    }

    public Part with(Chart chart) {
        return new Part(title, tables, sentences, plus(charts, chart), hint);
    }

    public Part saying(String sentence) {
        return new Part(title, tables, plus(sentences, sentence), charts, hint);
    }

    public Part hinting(String other) {
        return new Part(title, tables, sentences, charts, other);
    }

    private static <T> List<T> plus(List<T> all, T one) {
        List<T> more = new ArrayList<>(all);
        more.add(one);
        return more;
    }
}
