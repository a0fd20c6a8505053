package dev.mawashi.bench.command;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/// The flags that choose the form of the figures. They hold for all benchmarks of a command line,
/// after whichever name they stand; [Suite] reads them.
@SuppressWarnings("UnusedVariable") // The parser is asked for the values.
final class OutputOption {
    private static final String JSON = "--json";
    private static final String REPORT = "--report";

    @Option(names = JSON, description = "One JSON object with every run's figures.")
    private boolean isJson;

    @Option(
            names = REPORT,
            paramLabel = "FILE.html",
            description = "Writes a page with charts; with noop also FILE-noop.svg beside it.")
    private @Nullable Path report;

    static boolean isJson(ParseResult line) {
        return line.hasMatchedOption(JSON);
    }

    static Optional<Path> page(ParseResult line) {
        @Nullable Path page = line.matchedOptionValue(REPORT, null);
        return Optional.ofNullable(page);
    }

    /// Whether `name` is a flag other than these two.
    static boolean isOther(String name) {
        return !name.equals(JSON) && !name.equals(REPORT);
    }
}
