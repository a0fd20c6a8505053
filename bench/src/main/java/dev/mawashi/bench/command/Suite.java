package dev.mawashi.bench.command;

import dev.mawashi.bench.report.CommandEnd;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.JsonReport;
import dev.mawashi.bench.report.Page;
import dev.mawashi.bench.report.TextReport;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.embedded.EmbeddedRedisFailure;
import dev.mawashi.redis.RedisFailure;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The benchmarks of one command line, one after the other. When one fails, the others still run.
final class Suite {
    private final Main main;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<CommandEnd> outcomes = new ArrayList<>();

    Suite(Main main, PrintWriter out, PrintWriter err) {
        this.main = main;
        this.out = out;
        this.err = err;
    }

    /// Runs what a command line names.
    ///
    /// @param words of the whole line
    /// @return the exit code
    int run(List<ParseResult> named, String words) {
        Optional<Path> page = page(named);
        boolean isJson = named.stream().anyMatch(one -> one.hasMatchedOption(Benchmark.JSON));
        List<ParseResult> steps = named.stream().flatMap(one -> expand(one).stream()).toList();
        for (ParseResult step : steps) {
            if (steps.size() > 1) {
                err.println("mawashi bench " + step(step).words());
            }
            outcomes.add(outcome(step));
            if (!isJson) {
                print(outcomes.getLast());
            }
            // Written after each benchmark, so that an interrupt loses nothing.
            page.ifPresent(file -> new Page(words, outcomes).write(file));
        }
        if (isJson && (outcomes.size() > 1 || failed().isEmpty())) {
            out.println(JsonReport.text(json()));
        }
        return finish();
    }

    private static Optional<Path> page(List<ParseResult> named) {
        Optional<Path> last = Optional.empty();
        for (ParseResult one : named) {
            if (one.hasMatchedOption(Benchmark.REPORT)) {
                Path file = one.matchedOptionValue(Benchmark.REPORT, Path.of(""));
                check(file, one.commandSpec().commandLine());
                last = Optional.of(file);
            }
        }
        return last;
    }

    /// Checks that the file can be written: before half an hour of measuring, not after it.
    private static void check(Path file, CommandLine line) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
            throw new ParameterException(
                    line,
                    "--report " + file + " cannot be written: name a file in a folder of yours");
        }
    }

    private List<ParseResult> expand(ParseResult one) {
        Benchmark benchmark = (Benchmark) one.commandSpec().userObject();
        if (benchmark.steps().isEmpty()) {
            return List.of(one);
        }
        return new Bench(main, one)
                .peers().addedTo(benchmark.steps()).stream()
                        .map(words -> main.line(out, err).parseArgs(words.split(" ")))
                        .map(ParseResult::subcommand)
                        .toList();
    }

    private CommandEnd outcome(ParseResult parsed) {
        CommandEnd.Step step = step(parsed);
        try {
            return new CommandEnd.Done(step, new Bench(main, parsed).measure());
        } catch (ParameterException e) {
            if (outcomes.isEmpty()) {
                throw e;
            }
            return new CommandEnd.Failed(step, Main.firstLine(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new CommandEnd.Failed(step, "interrupted");
        } catch (BenchFailure | EmbeddedRedisFailure | RedisFailure e) {
            return new CommandEnd.Failed(step, Main.firstLine(e));
        } catch (RuntimeException e) {
            e.printStackTrace(err);
            String defect = "this is a defect, please report it: " + Main.firstLine(e);
            return new CommandEnd.Failed(step, defect);
        }
    }

    private static CommandEnd.Step step(ParseResult parsed) {
        Benchmark benchmark = (Benchmark) parsed.commandSpec().userObject();
        StringBuilder words = new StringBuilder(benchmark.name());
        for (OptionSpec option : parsed.matchedOptions()) {
            String flag = option.longestName();
            if (!flag.equals(Benchmark.JSON) && !flag.equals(Benchmark.REPORT)) {
                words.append(' ').append(flag);
                String values = String.join(",", option.originalStringValues());
                words.append(values.isEmpty() ? "" : " ").append(values);
            }
        }
        return new CommandEnd.Step(benchmark.name(), benchmark.about(), words.toString());
    }

    private void print(CommandEnd outcome) {
        if (outcome instanceof CommandEnd.Done(_, Figures figures)) {
            if (outcomes.size() > 1) {
                out.println();
            }
            TextReport.print(figures, out);
        }
    }

    private Map<String, Object> json() {
        List<Map<String, Object>> done =
                CommandEnd.figures(outcomes).stream().map(JsonReport::of).toList();
        if (outcomes.size() == 1) {
            return done.getFirst();
        }
        List<Map<String, Object>> failed =
                failed().stream()
                        .map(one ->
                                JsonReport.ordered(
                                        "bench", one.step().name(), "reason", one.reason()))
                        .toList();
        return JsonReport.ordered("benchmarks", done, "failed", failed);
    }

    private List<CommandEnd.Failed> failed() {
        return outcomes.stream()
                .filter(CommandEnd.Failed.class::isInstance)
                .map(CommandEnd.Failed.class::cast)
                .toList();
    }

    private int finish() {
        boolean isAlone = outcomes.size() == 1;
        for (CommandEnd.Failed one : failed()) {
            String name = isAlone ? "" : " " + one.step().name();
            err.println("mawashi bench" + name + ": " + one.reason());
        }
        List<String> names = failed().stream().map(one -> one.step().name()).toList();
        if (!isAlone && !names.isEmpty()) {
            err.println(
                    "mawashi bench: %s of %s failed: %s"
                            .formatted(names.size(), outcomes.size(), String.join(", ", names)));
        }
        return names.isEmpty() ? Main.DONE : Main.FAILED;
    }
}
