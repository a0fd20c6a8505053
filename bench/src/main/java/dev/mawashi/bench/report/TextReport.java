package dev.mawashi.bench.report;

import dev.mawashi.bench.rig.Machine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Figures for a terminal: who took part, then the tables.
public final class TextReport {
    private static final int NAME_WIDTH = 15;

    private TextReport() {}

    public static void print(Figures figures, PrintWriter out) {
        int runs = figures.results.getFirst().runs().size();
        out.println("%s, %s runs each, in turn".formatted(figures.bench, runs));
        member(out, "machine", Machine.here().describe());
        if (!figures.redis.isEmpty()) {
            member(out, "redis", figures.redis + ", the same for all");
        }
        figures.results.forEach(one -> member(out, one.name(), one.description()));
        for (Part part : figures.parts) {
            if (!part.tables().isEmpty()) {
                print(part, out);
            }
        }
        if (!figures.notes.isEmpty()) {
            out.println();
        }
        figures.notes.forEach(out::println);
        out.flush();
    }

    private static void member(PrintWriter out, String name, String text) {
        out.println("  " + padded(name, -NAME_WIDTH) + " " + text);
    }

    private static void print(Part part, PrintWriter out) {
        if (!part.title().isEmpty()) {
            out.println();
            out.println(part.title());
        }
        for (FigureTable table : part.tables()) {
            if (part.title().isEmpty() || !table.equals(part.tables().getFirst())) {
                out.println();
            }
            print(table, out);
        }
        part.sentences().forEach(out::println);
    }

    /// Columns are as wide as what is in them; all but the first are aligned at the right.
    private static void print(FigureTable table, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>(List.of(table.heads()));
        rows.addAll(table.rows());
        List<Integer> widths =
                IntStream.range(0, table.heads().size())
                        .map(i ->
                                rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
                        .boxed()
                        .toList();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(padded(row.getFirst(), -widths.getFirst()));
            for (int i = 1; i < row.size(); i++) {
                line.append("   ").append(padded(row.get(i), widths.get(i)));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    /// @param width of the text, at its right when it is negative
    private static String padded(String text, int width) {
        return ("%" + width + "s").formatted(text);
    }
}
