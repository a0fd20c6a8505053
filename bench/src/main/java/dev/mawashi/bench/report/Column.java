package dev.mawashi.bench.report;

import java.util.Locale;

/// A column of a table: one figure of each run.
///
/// @param title with its unit at the end
/// @param field of the run
/// @param decimals that are shown
public record Column(String title, String field, int decimals) {
    public String text(double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    public String median(Result one) {
        return text(one.median(field));
    }

    /// The least and the largest of the runs.
    String range(Result one) {
        return range(one.spread(field));
    }

    public String range(Spread spread) {
        return text(spread.min()) + " - " + text(spread.max());
    }
}
