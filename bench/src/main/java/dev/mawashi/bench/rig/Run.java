package dev.mawashi.bench.rig;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The figures of one run of one contestant.
///
/// @param fields numbers, and lists of what happened over time, by the names that JSON has for them
public record Run(Map<String, Object> fields) {
    public static final Run EMPTY = new Run(Map.of());

    public Run {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /// This run with a field more.
    public Run with(String field, Object value) {
        return with(new Run(Map.of(field, value)));
    }

    /// This run with the fields of another reading of it.
    public Run with(Run other) {
        Map<String, Object> all = new LinkedHashMap<>(fields);
        all.putAll(other.fields);
        return new Run(all);
    }

    /// @throws IllegalArgumentException when there is no such number
    public double of(String field) {
        if (fields.get(field) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("a run has no number " + field + ": " + fields.keySet());
    }

    /// Numbers in their order.
    public List<Double> list(String field) {
        return numbers(fields.get(field));
    }

    /// Lists of numbers, such as one for each core.
    public List<List<Double>> lists(String field) {
        return fields.get(field) instanceof List<?> lists
                ? lists.stream().map(Run::numbers).toList()
                : List.of();
    }

    private static List<Double> numbers(@Nullable Object value) {
        return value instanceof List<?> values
                ? values.stream().map(one -> ((Number) one).doubleValue()).toList()
                : List.of();
    }
}
