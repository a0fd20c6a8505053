package dev.mawashi.pages;

import dev.mawashi.figures.ClassRuns;
import dev.mawashi.figures.ClassTable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// The runs of each class in a period.
///
/// @param sort one of `SORTS`
public record ClassesPage(Shell shell, ClassTable table, String sort) {
    /// What rows may be sorted by, the highest first; names the lowest.
    public static final List<String> SORTS = List.of("runs", "failed", "p95", "time", "name");

    /// The classes in the order that is asked for.
    public List<ClassRuns> rows() {
        Comparator<ClassRuns> order =
                switch (sort) {
                    case "failed" -> Comparator.comparingDouble(ClassRuns::failedShare).reversed();
                    case "p95" ->
                            Comparator.comparingLong((ClassRuns runs) ->
                                            runs.times().percentileMillis(95).orElse(0))
                                    .reversed();
                    case "time" -> Comparator.comparingLong(ClassRuns::millis).reversed();
                    case "name" -> Comparator.comparing(ClassRuns::jobClass);
                    default -> Comparator.comparingLong(ClassRuns::processed).reversed();
                };
        return table.classes().stream().sorted(order).toList();
    }

    /// `mri 1,234, fork 56`.
    public static String byRunner(ClassRuns runs) {
        return runs.byRunner().stream()
                .map(one -> one.runner() + " " + Show.number(one.runs()))
                .collect(Collectors.joining(", "));
    }

    /// This page in another order.
    public String sortedBy(String other) {
        return "/classes?period=" + table.period().shown() + "&sort=" + other;
    }
}
