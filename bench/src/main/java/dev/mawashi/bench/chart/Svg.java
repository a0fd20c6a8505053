package dev.mawashi.bench.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// A drawing that is being made: elements in the order in which they are added. Colours and fonts
/// come from classes of chart.css.
public final class Svg {
    private final int width;
    private final int height;
    private final String description;
    private final StringBuilder elements = new StringBuilder();

    /// The part of a text that is at its place.
    public enum Anchor {
        START,
        MIDDLE,
        END
    }

    /// @param description for readers who do not see the drawing
    public Svg(int width, int height, String description) {
        this.width = width;
        this.height = height;
        this.description = description;
    }

    public int height() {
        return height;
    }

    /// The style sheet that drawings need.
    public static String style() {
        return file(Svg.class, "chart.css");
    }

    /// Reads a text file from the jar.
    ///
    /// @param owner the class that the file lies beside
    public static String file(Class<?> owner, String name) {
        try (InputStream file = owner.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes the ticks of an axis that begins at `left`; the last text ends with the drawing.
    ///
    /// @param unit behind the last one
    void ticks(Axis axis, double left, double length, double y, String unit) {
        Axis.Tick last = axis.ticks().getLast();
        for (Axis.Tick tick : axis.ticks()) {
            if (tick.equals(last)) {
                text("small", width, y, Anchor.END, tick.text() + unit);
            } else {
                text("small", left + length * axis.at(tick.value()), y, Anchor.MIDDLE, tick.text());
            }
        }
    }

    /// @param classes of the style sheet
    public Svg rectangle(String classes, double x, double y, double width, double height) {
        elements.append(
                "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>"
                        .formatted(
                                classes,
                                number(x),
                                number(y),
                                number(Math.max(0, width)),
                                number(Math.max(0, height))));
        return this;
    }

    public Svg line(String classes, double fromX, double fromY, double toX, double toY) {
        return path(
                classes,
                "M%s %sL%s %s".formatted(number(fromX), number(fromY), number(toX), number(toY)));
    }

    /// @param steps as in the attribute `d`, made with [#number]
    public Svg path(String classes, String steps) {
        elements.append("<path class=\"%s\" d=\"%s\"/>".formatted(classes, steps));
        return this;
    }

    public Svg text(String classes, double x, double y, Anchor anchor, String text) {
        String place = anchor == Anchor.START ? "" : " text-anchor=\"" + word(anchor) + "\"";
        elements.append(
                "<text class=\"%s\" x=\"%s\" y=\"%s\"%s>%s</text>"
                        .formatted(classes, number(x), number(y), place, escape(text)));
        return this;
    }

    /// Draws another drawing into this one.
    public Svg place(double x, double y, Svg other) {
        elements.append(
                "<svg x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\">%s</svg>"
                        .formatted(
                                number(x), number(y), other.width, other.height, other.elements));
        return this;
    }

    private static String word(Anchor anchor) {
        return anchor.name().toLowerCase(Locale.ROOT);
    }

    /// The drawing as an element of a page that has the style sheet.
    public String element() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">%s</svg>"
                .formatted(width, height, escape(description), elements);
    }

    /// The drawing as a file of its own, with style sheet and background.
    public String document() {
        String sized = "<svg width=\"%s\" height=\"%s\"".formatted(width, height);
        String ground =
                "<style>%s</style><rect class=\"ground\" width=\"%s\" height=\"%s\" rx=\"8\"/>"
                        .formatted(style(), width, height);
        String element = element();
        int open = element.indexOf('>') + 1;
        return element.substring(0, open).replaceFirst("<svg", sized)
                + "\n"
                + ground
                + element.substring(open)
                + "\n";
    }

    /// A number with one decimal at most.
    ///
    /// @throws NumberFormatException unless it is finite
    public static String number(double value) {
        return number(value, 1);
    }

    /// A number with so many decimals at most.
    static String number(double value, int decimals) {
        return new BigDecimal(value)
                .setScale(decimals, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    /// Escapes a text for use as text or as an attribute's value, in XML and HTML.
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints()
                .forEach(character -> {
                    switch (character) {
                        case '&' -> escaped.append("&amp;");
                        case '<' -> escaped.append("&lt;");
                        case '>' -> escaped.append("&gt;");
                        case '"' -> escaped.append("&quot;");
                        case '\t', '\n', '\r' -> escaped.append(' ');
                        // XML has no form for forbidden characters.
                        default ->
                                escaped.appendCodePoint(isForbidden(character) ? '?' : character);
                    }
                });
        return escaped.toString();
    }

    private static boolean isForbidden(int character) {
        return character < ' '
                || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE)
                || character == 0xFFFE
                || character == 0xFFFF;
    }
}
