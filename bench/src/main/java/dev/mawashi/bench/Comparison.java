package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Rows of a table as multiples of one of them, the reference.
///
/// @param own the figure of a row that is divided
/// @param theirs the figure of the reference that it is divided by
/// @param <F> the figures of one run
record Comparison<F>(Contestant reference, ToDoubleFunction<F> own, ToDoubleFunction<F> theirs) {

    /// Of the medians.
    double times(List<F> runs, List<F> referenceRuns) {
        return Spread.of(runs, own).median() / Spread.of(referenceRuns, theirs).median();
    }

    /// Of each round.
    List<Double> pairs(List<F> runs, List<F> referenceRuns) {
        List<Double> pairs = new ArrayList<>();
        for (int i = 0; i < Math.min(runs.size(), referenceRuns.size()); i++) {
            pairs.add(own.applyAsDouble(runs.get(i)) / theirs.applyAsDouble(referenceRuns.get(i)));
        }
        return pairs;
    }
}
