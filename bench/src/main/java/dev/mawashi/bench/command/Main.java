package dev.mawashi.bench.command;

import dev.mawashi.bench.rig.Checkout;
import dev.mawashi.server.Logging;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The entry of `./mawashi bench`: its benchmarks, and the parser of its command lines.
///
/// @param environment its `PATH` is searched for the ground's Redis
/// @param launcher gives the words before Mawashi's commands
public record Main(
        Map<String, String> environment, InstantSource clock, Supplier<List<String>> launcher) {
    /// The benchmarks were done, and every job was counted once.
    static final int DONE = 0;

    /// A benchmark could not be done, or jobs were lost or run twice.
    static final int FAILED = 1;

    /// The command was used wrongly.
    static final int WRONG_USE = 2;

    private static final List<Benchmark> BENCHMARKS = Benchmark.all();

    public static void main(String[] arguments) {
        Logging.to(System.err, System.Logger.Level.WARNING, false);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Main main = new Main(System.getenv(), InstantSource.system(), Checkout::launcher);
        System.exit(main.run(List.of(arguments), out, err));
    }

    /// Runs benchmarks and returns the exit code.
    int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        try {
            List<ParseResult> lines = new ArrayList<>();
            for (List<String> words : split(arguments)) {
                lines.add(line(out, err).parseArgs(words.toArray(String[]::new)));
            }
            for (ParseResult line : lines) {
                Integer help = CommandLine.executeHelpRequest(line);
                if (help != null) {
                    return help;
                }
                if (!line.hasSubcommand()) {
                    throw new ParameterException(
                            line.commandSpec().commandLine(), "name a benchmark");
                }
            }
            List<ParseResult> named = lines.stream().map(ParseResult::subcommand).toList();
            return new Suite(this, out, err).run(named, String.join(" ", arguments));
        } catch (ParameterException e) {
            String help = e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
            err.println("mawashi bench: " + firstLine(e) + " (see " + help + ")");
            return WRONG_USE;
        }
    }

    /// The words of each benchmark. They begin with its name, which may also be a flag's value:
    /// series of `scaling` are named as benchmarks are.
    private static List<List<String>> split(List<String> words) {
        List<List<String>> all = new ArrayList<>(List.of(new ArrayList<>()));
        List<Benchmark> begun = new ArrayList<>();
        String before = "";
        for (String word : words) {
            boolean isValue = !begun.isEmpty() && begun.getLast().takesValue(before);
            Optional<Benchmark> next = isValue ? Optional.empty() : named(word);
            if (next.isPresent() && !begun.isEmpty()) {
                all.add(new ArrayList<>());
            }
            next.ifPresent(begun::add);
            all.getLast().add(word);
            before = word;
        }
        return all;
    }

    /// How a benchmark is measured.
    static Bench.Work work(String name) {
        return switch (name) {
            case "noop" -> Noop::measure;
            case "sha" -> bench -> bench.run(Races::sha);
            case "kernels" -> Warm::kernels;
            case "io" -> bench -> bench.run(Races::io);
            case "fork" -> bench -> bench.run(Races::fork);
            case "memory" -> Races::memory;
            case "sharing" -> bench -> bench.run(Sharing::measure);
            case "latency" -> bench -> bench.run(Watches::latency);
            case "boot" -> bench -> bench.run(Races::boot);
            case "garbage" -> Watches::garbage;
            case "backlog" -> Burdens::backlog;
            case "schedule" -> bench -> bench.run(Schedule::measure);
            case "lines" -> bench -> bench.runAlone(Lines::measure);
            case "threads" -> bench -> bench.run(Watches::threads);
            case "idle" -> bench -> bench.run(Watches::idle);
            case "calls" -> bench -> bench.run(Operators::calls);
            case "rtt" -> bench -> bench.run(Burdens::rtt);
            case "features" -> bench -> bench.run(Features::measure);
            case "fanout" -> bench -> bench.run(Races::fanout);
            case "page" -> bench -> bench.run(Operators::page);
            case "streams" -> bench -> bench.run(Burdens::streams);
            case "app" -> OrderApp::measure;
            case "scaling" -> Scaling::measure;
            case "soak" -> Soak::measure;
            case "roll" -> Roll::measure;
            default -> throw new IllegalArgumentException(name + " measures nothing");
        };
    }

    private static Optional<Benchmark> named(String word) {
        return BENCHMARKS.stream().filter(one -> one.name().equals(word)).findFirst();
    }

    /// The parser of a command line with one benchmark.
    CommandLine line(PrintWriter out, PrintWriter err) {
        CommandSpec spec = CommandSpec.create().name("mawashi bench").addOption(Benchmark.help());
        spec.usageMessage()
                .description("Measures Mawashi and its peers on this machine.")
                .synopsisSubcommandLabel("NAME... or all")
                .commandListHeading("%nBenchmarks:%n")
                .footerHeading("%nExamples:%n")
                .footer(
                        "  mawashi bench noop",
                        "  mawashi bench noop --jobs 1000000 --peer sidekiq --runs 3",
                        "  mawashi bench sha --jobs 15000",
                        "  mawashi bench schedule --peer sidekiq",
                        "  mawashi bench latency boot --runs 5 --report report.html",
                        "  mawashi bench all --peer sidekiq --report report.html",
                        "  mawashi bench NAME --help   what a benchmark measures and takes");
        for (Benchmark one : BENCHMARKS) {
            spec.addSubcommand(one.name(), one.spec());
        }
        CommandLine line = new CommandLine(spec).setAllowSubcommandsAsOptionParameters(true);
        return line.setOut(out).setErr(err);
    }

    static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
        return message.lines().findFirst().orElse("");
    }
}
