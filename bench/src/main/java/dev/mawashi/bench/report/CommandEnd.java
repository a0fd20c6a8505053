package dev.mawashi.bench.report;

import java.util.List;

/// The end of a benchmark of a command line.
public sealed interface CommandEnd {
    Step step();

    /// The figures of the benchmarks that succeeded.
    static List<Figures> figures(List<CommandEnd> outcomes) {
        return outcomes.stream()
                .filter(Done.class::isInstance)
                .map(one -> ((Done) one).figures())
                .toList();
    }

    /// A benchmark with its flags.
    ///
    /// @param about what it measures, in a sentence or two
    /// @param words the command after `mawashi bench`
    record Step(String name, String about, String words) {}

    /// The benchmark gave figures.
    record Done(Step step, Figures figures) implements CommandEnd {}

    /// The benchmark gave none.
    ///
    /// @param reason one line
    record Failed(Step step, String reason) implements CommandEnd {}
}
