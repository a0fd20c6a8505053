package dev.mawashi.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A table of figures; the first column names the rows.
public record FigureTable(List<String> heads, List<List<String>> rows) {
    private static final String RANGE = "min - max";

    public FigureTable {
        heads = List.copyOf(heads);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /// A row for each result: the first column with its range, of the others the medians, and at
    /// the end how the rows compare.
    ///
    /// @param corner over the names
    public static FigureTable wide(
            String corner, List<Column> columns, List<Result> results, Optional<Multiples> with) {
        List<String> heads = new ArrayList<>(List.of(corner));
        columns.forEach(column -> heads.add(column.title()));
        heads.add(2, RANGE);
        with.ifPresent(one -> heads.add("x " + one.reference().name() + " (pairs)"));
        List<List<String>> rows = new ArrayList<>();
        for (Result result : results) {
            List<String> row = new ArrayList<>(List.of(result.name()));
            columns.forEach(column -> row.add(column.median(result)));
            row.add(2, columns.getFirst().range(result));
            with.ifPresent(one -> row.add(one.text(result)));
            rows.add(row);
        }
        return new FigureTable(heads, rows);
    }

    /// The same without a comparison.
    public static FigureTable wide(String corner, List<Column> columns, List<Result> results) {
        return wide(corner, columns, results, Optional.empty());
    }

    /// A row for each figure of each result, with its range.
    public static FigureTable tall(String corner, List<Column> columns, List<Result> results) {
        List<List<String>> rows = new ArrayList<>();
        for (Result result : results) {
            for (Column column : columns) {
                String name = result.name() + ", " + column.title();
                rows.add(List.of(name, column.median(result), column.range(result)));
            }
        }
        return new FigureTable(List.of(corner, "median", RANGE), rows);
    }

    /// This table with a row more.
    public FigureTable with(List<String> row) {
        List<List<String>> all = new ArrayList<>(rows);
        all.add(row);
        return new FigureTable(heads, all);
    }
}
