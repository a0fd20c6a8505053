package dev.mawashi.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Results as multiples of one of them, the reference.
///
/// @param own the figure of a result that is divided
/// @param theirs the figure of the reference that it is divided by
public record Multiples(Result reference, String own, String theirs) {
    /// With the result whose figure `by` is the largest of those that may be the reference.
    public static Optional<Multiples> withLargest(
            String by,
            List<Result> results,
            Predicate<Result> mayBeReference,
            String own,
            String theirs) {
        return results.stream()
                .filter(mayBeReference)
                .max(Comparator.comparingDouble(one -> one.median(by)))
                .map(one -> new Multiples(one, own, theirs));
    }

    /// With the first result that may be the reference, by one figure.
    public static Optional<Multiples> withFirst(
            List<Result> results, Predicate<Result> mayBeReference, String figure) {
        return results.stream()
                .filter(mayBeReference)
                .findFirst()
                .map(one -> new Multiples(one, figure, figure));
    }

    /// The multiple, by the medians.
    public double times(Result one) {
        return one.median(own) / reference.median(theirs);
    }

    /// The multiple of each round.
    public List<Double> pairs(Result one) {
        List<Double> pairs = new ArrayList<>();
        for (int i = 0; i < Math.min(one.runs().size(), reference.runs().size()); i++) {
            pairs.add(one.runs().get(i).of(own) / reference.runs().get(i).of(theirs));
        }
        return pairs;
    }

    /// As a cell of a table.
    String text(Result one) {
        if (isReference(one)) {
            return "1";
        }
        Spread pairs = Spread.of(pairs(one));
        return Wording.text("%.2f (%.2f - %.2f)", times(one), pairs.min(), pairs.max());
    }

    /// Beside a bar.
    public String detail(Result one, int decimals) {
        return isReference(one)
                ? ""
                : String.format(
                        Locale.ROOT, "%." + decimals + "f x %s", times(one), reference.name());
    }

    boolean isReference(Result one) {
        return reference.name().equals(one.name());
    }

    /// For JSON.
    public Map<String, Object> fields(String name, Result one) {
        return JsonReport.ordered(name, pairs(one), name + "_median", times(one));
    }
}
