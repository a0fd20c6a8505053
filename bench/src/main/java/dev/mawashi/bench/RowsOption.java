package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Option;

/// The flag that says which job servers are measured, in which configurations.
final class RowsOption {
    @Option(
            names = "--rows",
            paramLabel = "ROW",
            split = ",",
            description =
                    "Measures these, in this order, such as jruby-50,mri-2x50,sidekiq-2x10:"
                            + " what runs the jobs and how many threads, or processes x threads"
                            + " (those of the table in bench/README.md).")
    private List<String> words = new ArrayList<>();

    /// @param defaults the rows without the flag
    List<Row> rows(Bench bench, List<String> defaults) {
        try {
            return new LinkedHashSet<>(words.isEmpty() ? defaults : words)
                    .stream().map(Row::parse).toList();
        } catch (IllegalArgumentException wrong) {
            throw bench.wrong("--rows: " + wrong.getMessage());
        }
    }
}
