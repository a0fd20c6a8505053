package dev.mawashi.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// A column of a benchmark's table.
///
/// @param title over the column
/// @param field its name in JSON, with its unit
/// @param decimals that are shown to people
/// @param figure of one run
/// @param <F> the figures of one run
record Column<F>(String title, String field, int decimals, ToDoubleFunction<F> figure) {
    /// Of one run.
    double of(F run) {
        return figure.applyAsDouble(run);
    }

    /// The median of the runs.
    String median(List<F> runs) {
        return text(Spread.of(runs, figure).median());
    }

    /// The least and the largest of the runs.
    String range(List<F> runs) {
        Spread spread = Spread.of(runs, figure);
        return text(spread.min()) + " - " + text(spread.max());
    }

    String text(double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
