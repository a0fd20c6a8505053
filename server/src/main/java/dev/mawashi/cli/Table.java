package dev.mawashi.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Text in aligned columns: the first to the left, the others to the right. Control characters in a
/// cell are shown as `?`, so that no job's text can drive the reader's terminal.
final class Table {
    private static final String GAP = "  ";

    private final List<String> header = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... columns) {
        header(columns);
    }

    /// Adds columns.
    void header(String... columns) {
        header.addAll(List.of(columns));
    }

    void row(String... cells) {
        if (cells.length != header.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + header);
        }
        rows.add(List.of(cells).stream().map(Table::printable).toList());
    }

    /// A whole number with thousands set apart.
    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String printable(String cell) {
        return cell.replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(text, header);
        rows.forEach(row -> append(text, row));
        return text.toString();
    }

    private void append(StringBuilder text, List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(width(column) - cell.length());
            line.append(column == 0 ? "" : GAP);
            line.append(column == 0 ? cell + padding : padding + cell);
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }

    private int width(int column) {
        int width = header.get(column).length();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }
}
