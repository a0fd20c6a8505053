package dev.mawashi.bench.command;

import dev.mawashi.bench.chart.Svg;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// A benchmark of benchmarks.txt: what it measures, its flags, and examples of its use.
final class Benchmark {
    static final String JSON = "--json";
    static final String REPORT = "--report";
    private static final int RUNS_MAX = 100;

    private final String name;
    private final List<Flag> flags = new ArrayList<>();
    private final Map<String, Bounds> numbers = new LinkedHashMap<>();
    private final List<String> examples = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private String about = "";
    private String usualRows = "";

    /// @param label of its value; empty where it has none
    /// @param fallback its value where it stands alone; empty where it may not
    private record Flag(String name, String label, Class<?> type, String text, String fallback) {}

    /// The range of a flag with a number.
    ///
    /// @param usual its value where it is not given
    record Bounds(ToIntFunction<Bench> usual, int min, int max) {}

    private Benchmark(String name) {
        this.name = name;
        flag(JSON, "", Boolean.class, "One JSON object with every run's figures.");
        flag(
                REPORT,
                "FILE.html",
                Path.class,
                "Writes a page with charts; with noop also FILE-noop.svg beside it.");
    }

    /// All of them, in the order of the file.
    static List<Benchmark> all() {
        List<Benchmark> all = new ArrayList<>();
        String text = Svg.file(Benchmark.class, "benchmarks.txt").replaceAll("\n {3,}", " ");
        for (String line : text.lines().toList()) {
            if (line.startsWith("  ")) {
                String[] words = line.strip().split(" ", 2);
                all.getLast().add(words[0], words.length > 1 ? words[1] : "");
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                all.add(new Benchmark(line));
            }
        }
        for (Benchmark one : all) {
            if (one.steps.isEmpty()) {
                one.number("--runs 3 " + RUNS_MAX + " Runs of each, in turn (3).");
            }
        }
        return all;
    }

    private void add(String kind, String text) {
        String[] words = text.split(" ", 3);
        switch (kind) {
            case "#" -> {}
            case "about" -> about = text;
            case "example" -> examples.add("  mawashi bench " + text);
            case "step" -> steps.add(text);
            case "number" -> number(text);
            case "flag" -> flag(words[0], "", Boolean.class, text.split(" ", 2)[1]);
            case "word" -> flag(words[0], words[1], String.class, words[2]);
            case "words" -> flag(words[0], words[1], String[].class, words[2]);
            case "sizes" -> flag(words[0], words[1], Map.class, words[2]);
            case "rows" -> rows(text);
            case "row" -> flag("--row", "ROW", String.class, text);
            case "peers" ->
                    flag(
                            "--peer",
                            "NAME",
                            String[].class,
                            "Runs these too: sidekiq, sidekiq-yjit, sidekiq-jruby, resque; noop"
                                    + " also takes their rows, such as sidekiq-2x25.");
            default -> throw new IllegalArgumentException(name + ": " + kind + " is no kind");
        }
    }

    private void flag(String flag, String label, Class<?> type, String text) {
        flags.add(new Flag(flag, label, type, text, ""));
    }

    private void number(String line) {
        String[] words = line.split(" ", 4);
        String fallback = words[1].startsWith("?") ? words[1].substring(1) : "";
        flags.add(new Flag(words[0], "N", Integer.class, words[3], fallback));
        int max = Integer.parseInt(words[2]);
        if (words[1].startsWith("/")) {
            int part = Integer.parseInt(words[1].substring(1));
            numbers.put(
                    words[0],
                    new Bounds(bench -> Math.max(1, bench.number("--jobs") / part), 1, max));
        } else {
            int usual = Integer.parseInt(fallback.isEmpty() ? words[1] : fallback);
            numbers.put(words[0], new Bounds(_ -> usual, Math.min(usual, 1), max));
        }
    }

    private void rows(String usual) {
        usualRows = usual;
        flag(
                "--rows",
                "ROW",
                String[].class,
                "Measures these, in this order, such as jruby-50,mri-2x50,sidekiq-2x10: what runs"
                        + " the jobs and how many threads, or processes x threads (those of the"
                        + " table in bench/README.md).");
    }

    String name() {
        return name;
    }

    String about() {
        return about;
    }

    /// The command lines that it stands for; none where it is measured itself.
    List<String> steps() {
        return steps;
    }

    /// The flags with numbers.
    Map<String, Bounds> numbers() {
        return numbers;
    }

    /// @param flag one of those
    Bounds bounds(String flag) {
        return Objects.requireNonNull(numbers.get(flag), flag);
    }

    String usualRows() {
        return usualRows;
    }

    boolean takes(String flag) {
        return flags.stream().anyMatch(one -> one.name().equals(flag));
    }

    /// Whether the word behind it on a command line is its value.
    boolean takesValue(String flag) {
        return flags.stream().anyMatch(one -> one.name().equals(flag) && !one.label().isEmpty());
    }

    /// A parser of its flags, made anew for each use, since one line may name a benchmark twice.
    CommandSpec spec() {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name(name);
        spec.usageMessage()
                .description(plain(about))
                .footerHeading("%nExamples:%n")
                .footer(lines(examples));
        if (!steps.isEmpty()) {
            List<String> footer = new ArrayList<>(steps.stream().map(one -> "  " + one).toList());
            footer.addAll(List.of("with --peer where they take it.%n", "Examples:"));
            footer.addAll(examples);
            spec.usageMessage().footerHeading("%nIt is:%n").footer(lines(footer));
        }
        flags.forEach(flag -> spec.addOption(option(flag)));
        return spec.addOption(help());
    }

    /// The text for a parser that formats it.
    private static String plain(String text) {
        return text.replace("%", "%%");
    }

    private static String[] lines(List<String> lines) {
        return lines.toArray(String[]::new);
    }

    private static OptionSpec option(Flag flag) {
        OptionSpec.Builder option =
                OptionSpec.builder(flag.name()).type(flag.type()).description(plain(flag.text()));
        if (!flag.label().isEmpty()) {
            option.paramLabel(flag.label());
        }
        if (!flag.fallback().isEmpty()) {
            option.arity("0..1").fallbackValue(flag.fallback());
        }
        if (flag.type() == Map.class) {
            option.auxiliaryTypes(String.class, Integer.class).splitRegex(",");
        }
        return flag.type().isArray() ? option.splitRegex(",").build() : option.build();
    }

    static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Prints this text.")
                .build();
    }
}
