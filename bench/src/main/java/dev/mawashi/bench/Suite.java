package dev.mawashi.bench;

import dev.mawashi.embedded.EmbeddedRedisFailure;
import dev.mawashi.redis.RedisFailure;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The benchmarks of one command line, one after the other. One that fails does not keep the others
/// from running.
final class Suite {
    private final Function<List<String>, ParseResult> parser;
    private final Tray tray;
    private final List<Outcome> outcomes = new ArrayList<>();

    /// Where a benchmark puts what it found out.
    static final class Tray {
        private @Nullable Report report;

        void put(Report other) {
            report = other;
        }

        /// Empties it.
        Report take() {
            Report taken = report;
            report = null;
            if (taken == null) {
                throw new IllegalStateException("a benchmark has no report");
            }
            return taken;
        }
    }

    /// @param parser of the words that `all` stands for
    /// @param tray that the benchmarks have
    Suite(Function<List<String>, ParseResult> parser, Tray tray) {
        this.parser = parser;
        this.tray = tray;
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
            // After each, so that nothing is lost when one of the next is interrupted.
            page.ifPresent(file -> new Page(words, outcomes).write(file));
        }
        if (isJson) {
            String text = steps.size() == 1 ? lone() : json();
            command.getOut().print(text.isEmpty() ? "" : text + "\n");
            command.getOut().flush();
        }
        return finish(command.getErr());
    }

    private static Optional<Path> page(List<ParseResult> named) {
        Optional<Path> last = Optional.empty();
        for (ParseResult one : named) {
            Optional<Path> page = OutputOption.page(one);
            if (page.isPresent()) {
                check(page.get(), one.commandSpec().commandLine());
                last = page;
            }
        }
        return last;
    }

    /// Before half an hour of measuring, not after it.
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

    private Outcome outcome(ParseResult parsed, PrintWriter err) {
        Outcome.Step step = step(parsed);
        try {
            ((Callable<?>) parsed.commandSpec().userObject()).call();
            return new Outcome.Done(step, tray.take());
        } catch (ParameterException e) {
            if (outcomes.isEmpty()) {
                throw e;
            }
            return new Outcome.Failed(step, firstLine(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(step, "interrupted");
        } catch (BenchFailure | EmbeddedRedisFailure | RedisFailure e) {
            return new Outcome.Failed(step, firstLine(e));
        } catch (Exception e) {
            e.printStackTrace(err);
            return new Outcome.Failed(step, "this is a defect, please report it: " + firstLine(e));
        }
    }

    private static Outcome.Step step(ParseResult parsed) {
        String about = String.join(" ", parsed.commandSpec().usageMessage().description());
        StringBuilder words = new StringBuilder(parsed.commandSpec().name());
        for (OptionSpec option : parsed.matchedOptions()) {
            if (OutputOption.isOther(option.longestName())) {
                words.append(' ').append(option.longestName());
                String values = String.join(",", option.originalStringValues());
                words.append(values.isEmpty() ? "" : " ").append(values);
            }
        }
        return new Outcome.Step(parsed.commandSpec().name(), about, words.toString());
    }

    private static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
        return message.lines().findFirst().orElse("");
    }

    private void print(Outcome outcome, PrintWriter out) {
        if (outcome instanceof Outcome.Done(_, Report report)) {
            if (outcomes.size() > 1) {
                out.println();
            }
            report.print(out);
        }
    }

    /// Nothing when it failed.
    private String lone() {
        return outcomes.getFirst() instanceof Outcome.Done(_, Report report) ? report.json() : "";
    }

    private String json() {
        String done =
                outcomes.stream()
                        .filter(Outcome.Done.class::isInstance)
                        .map(one -> ((Outcome.Done) one).report().json())
                        .collect(Collectors.joining(",", "[", "]"));
        return "{\"benchmarks\":" + done + ",\"failed\":" + JsonReport.json(failed()) + "}";
    }

    private List<Map<String, Object>> failed() {
        List<Map<String, Object>> failed = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failed(Outcome.Step step, String reason)) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("bench", step.name());
                fields.put("reason", reason);
                failed.add(fields);
            }
        }
        return failed;
    }

    private int finish(PrintWriter err) {
        boolean isAlone = outcomes.size() == 1;
        List<String> names = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failed(Outcome.Step step, String reason)) {
                err.println("mawashi bench" + (isAlone ? "" : " " + step.name()) + ": " + reason);
                names.add(step.name());
            }
        }
        if (!isAlone && !names.isEmpty()) {
            err.println(
                    "mawashi bench: %d of %d failed: %s"
                            .formatted(names.size(), outcomes.size(), String.join(", ", names)));
        }
        return names.isEmpty() ? Main.DONE : Main.FAILED;
    }
}
