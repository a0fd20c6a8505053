package dev.mawashi.bench.chart;

import java.util.Locale;

/// A colour, by name. Its values for light and dark are in chart.css; each has a contrast of at
/// least 4.5 to the background.
public enum Hue {
    BLUE,
    TEAL,
    PURPLE,
    ORANGE,
    PINK,
    GREY;

    /// The class in the style sheet.
    public String css() {
        return name().toLowerCase(Locale.ROOT);
    }
}
