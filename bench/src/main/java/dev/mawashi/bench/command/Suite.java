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
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The benchmarks of one command line, one after the other. When one fails, the others still run.
final class Suite {
    private final Function<List<String>, ParseResult> parser;
    private final List<CommandEnd> outcomes = new ArrayList<>();

    /// @param parser of the words that `all` stands for
    Suite(Function<List<String>, ParseResult> parser) {
        this.parser = parser;
    }

    /// Runs what a command line names.
    ///
    /// @return the exit code
    int run(ParseResult line) {
        Integer help = CommandLine.executeHelpRequest(line);
        if (help != null) {
            return help;
        }
        List<ParseResult> named = line.subcommands();
        CommandLine command = line.commandSpec().commandLine();
        if (named.isEmpty()) {
            throw new ParameterException(command, "name a benchmark");
        }
        Optional<Path> page = page(named);
        boolean isJson = named.stream().anyMatch(OutputOption::isJson);
        List<ParseResult> steps = named.stream().flatMap(one -> expand(one).stream()).toList();
        for (ParseResult step : steps) {
            if (steps.size() > 1) {
                command.getErr().println("mawashi bench " + step(step).words());
            }
            outcomes.add(outcome(step, command.getErr()));
            if (!isJson) {
                print(outcomes.getLast(), command.getOut());
            }
            String words = String.join(" ", line.originalArgs());
            // Written after each benchmark, so that an interrupt loses nothing.
            page.ifPresent(file -> new Page(words, outcomes).write(file));
        }
        if (isJson && (outcomes.size() > 1 || failed().isEmpty())) {
            command.getOut().println(JsonReport.text(json()));
        }
        return finish(command.getErr());
    }

    private static Optional<Path> page(List<ParseResult> named) {
        Optional<Path> last = Optional.empty();
        for (ParseResult one : named) {
            Optional<Path> page = OutputOption.page(one);
            page.ifPresent(file -> check(file, one.commandSpec().commandLine()));
            last = page.isPresent() ? page : last;
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
        return one.commandSpec().userObject() instanceof AllCommand all
                ? all.steps().stream().map(words -> parser.apply(words).subcommand()).toList()
                : List.of(one);
    }

    private CommandEnd outcome(ParseResult parsed, PrintWriter err) {
        CommandEnd.Step step = step(parsed);
        try {
            Callable<?> benchmark = (Callable<?>) parsed.commandSpec().userObject();
            return new CommandEnd.Done(step, (Figures) benchmark.call());
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
        } catch (Exception e) {
            e.printStackTrace(err);
            String defect = "this is a defect, please report it: " + Main.firstLine(e);
            return new CommandEnd.Failed(step, defect);
        }
    }

    private static CommandEnd.Step step(ParseResult parsed) {
        String about = String.join(" ", parsed.commandSpec().usageMessage().description());
        StringBuilder words = new StringBuilder(parsed.commandSpec().name());
        for (OptionSpec option : parsed.matchedOptions()) {
            if (OutputOption.isOther(option.longestName())) {
                words.append(' ').append(option.longestName());
                String values = String.join(",", option.originalStringValues());
                words.append(values.isEmpty() ? "" : " ").append(values);
            }
        }
        return new CommandEnd.Step(parsed.commandSpec().name(), about, words.toString());
    }

    private void print(CommandEnd outcome, PrintWriter out) {
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
        List<Map<String, Object>> failed = new ArrayList<>();
        for (CommandEnd.Failed one : failed()) {
            failed.add(JsonReport.ordered("bench", one.step().name(), "reason", one.reason()));
        }
        return JsonReport.ordered("benchmarks", done, "failed", failed);
    }

    private List<CommandEnd.Failed> failed() {
        return outcomes.stream()
                .filter(CommandEnd.Failed.class::isInstance)
                .map(CommandEnd.Failed.class::cast)
                .toList();
    }

    private int finish(PrintWriter err) {
        boolean isAlone = outcomes.size() == 1;
        for (CommandEnd.Failed one : failed()) {
            String name = isAlone ? "" : " " + one.step().name();
            err.println("mawashi bench" + name + ": " + one.reason());
        }
        List<String> names = failed().stream().map(one -> one.step().name()).toList();
        if (!isAlone && !names.isEmpty()) {
            err.println(
                    "mawashi bench: %d of %d failed: %s"
                            .formatted(names.size(), outcomes.size(), String.join(", ", names)));
        }
        return names.isEmpty() ? Main.DONE : Main.FAILED;
    }
}
