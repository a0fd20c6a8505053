package dev.mawashi.scrape;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Names as values of labels. Whoever may enqueue chooses names of any length, and each stands in a
/// scrape many times.
final class LabelText {
    static final int LENGTH_MAX = 200;

    private LabelText() {}

    /// The name, or its beginning with a number that separates it from others that begin so.
    static String of(String name) {
        if (name.length() <= LENGTH_MAX) {
            return name;
        }
        String number = Integer.toHexString(name.hashCode());
        return name.substring(0, LENGTH_MAX - number.length() - 1) + "~" + number;
    }

    /// Those whose labels are alike but once, as a scrape has to be.
    static <T> List<T> distinct(List<T> all, Function<T, String> name) {
        Set<String> seen = new HashSet<>();
        List<T> distinct = new ArrayList<>();
        for (T one : all) {
            if (seen.add(of(name.apply(one)))) {
                distinct.add(one);
            }
        }
        return distinct;
    }
}
