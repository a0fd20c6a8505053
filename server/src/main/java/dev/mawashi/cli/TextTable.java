package dev.mawashi.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Text in aligned columns: the first to the left, the others to the right, or all to the left.
/// Characters in a cell that a terminal obeys instead of showing them are shown as `?`, so that no
/// job's text can drive it.
final class TextTable {
    private static final String GAP = "  ";

    /// Control characters, those of the C1 set too, invisible ones that turn the direction of
    /// writing, and line separators.
    private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private final List<String> header = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    private final boolean isText;

    TextTable(String... columns) {
        this(false, columns);
    }

    private TextTable(boolean isText, String... columns) {
        this.isText = isText;
        header(columns);
    }

    /// A table with all columns to the left.
    static TextTable ofText(String... columns) {
        return new TextTable(true, columns);
    }

    /// Adds columns.
    void header(String... columns) {
        header.addAll(List.of(columns));
    }

    void row(String... cells) {
        if (cells.length != header.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + header);
        }
        rows.add(List.of(cells).stream().map(TextTable::printable).toList());
    }

    /// A whole number with thousands set apart.
    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /// Text without what a terminal obeys.
    static String printable(String text) {
        return OBEYED.matcher(text).replaceAll("?");
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
            line.append(isText || column == 0 ? cell + padding : padding + cell);
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
