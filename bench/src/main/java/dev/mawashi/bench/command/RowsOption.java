package dev.mawashi.bench.command;

import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Row;
import java.util.ArrayList;
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

    /// @param defaults the words without the flag, with `%d` for the number of cores
    List<Row> rows(Bench bench, String defaults) {
        List<String> chosen = words.isEmpty() ? List.of(defaults.split(",")) : words;
        return chosen.stream()
                .map(word -> word.replace("%d", Integer.toString(Machine.coresHere())))
                .distinct()
                .map(word -> bench.row("--rows", word))
                .toList();
    }
}
