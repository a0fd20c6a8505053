package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.BenchFolder;
import dev.mawashi.bench.rig.BenchRedis;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// A benchmark with its flags as they were given, while it is measured: the ground, the
/// contestants, and their turns.
final class Bench {
    private static final int SHOWN = 3;

    private final Main main;
    private final Benchmark benchmark;
    private final ParseResult flags;
    private final List<String> notes = new ArrayList<>();
    private String redis = "";

    /// Measures a benchmark whose flags are known to be right.
    @FunctionalInterface
    interface Work {
        Figures of(Bench bench) throws InterruptedException;
    }

    /// The measuring itself.
    ///
    /// @param <G> where it takes place
    @FunctionalInterface
    interface Measurement<G> {
        Figures of(Bench bench, G ground) throws InterruptedException;
    }

    /// One run of one contestant.
    @FunctionalInterface
    interface Turn {
        Run take(Contestant contestant) throws InterruptedException;
    }

    /// @param flags of a benchmark's parser
    Bench(Main main, ParseResult flags) {
        this.main = main;
        this.flags = flags;
        benchmark = (Benchmark) flags.commandSpec().userObject();
    }

    /// Checks all flags, then measures.
    ///
    /// @throws ParameterException when a flag is wrong
    Figures measure() throws InterruptedException {
        benchmark
                .numbers()
                .forEach((flag, bounds) -> {
                    within(flag, number(flag), bounds.min(), bounds.max());
                });
        rows();
        row();
        peers();
        return Main.work(benchmark.name()).of(this);
    }

    boolean has(String flag) {
        return flags.hasMatchedOption(flag);
    }

    /// The number that a flag has, or its usual one.
    int number(String flag) {
        @Nullable Integer given = flags.matchedOptionValue(flag, null);
        return given == null ? benchmark.bounds(flag).usual().applyAsInt(this) : given;
    }

    String word(String flag, String usual) {
        return flags.matchedOptionValue(flag, usual);
    }

    /// The words of a flag that takes several; none where it was not given.
    List<String> words(String flag) {
        return List.of(flags.matchedOptionValue(flag, new String[0]));
    }

    /// The numbers of a flag that takes several by name; none where it was not given.
    Map<String, Integer> numbers(String flag) {
        return flags.matchedOptionValue(flag, Map.of());
    }

    /// The job servers that `--rows` names, or the usual ones.
    ///
    /// @throws ParameterException when a word names none
    List<Row> rows() {
        return rows(benchmark.usualRows());
    }

    /// @param usual the words without the flag, with `%d` for the number of cores
    List<Row> rows(String usual) {
        if (!benchmark.takes("--rows")) {
            return List.of();
        }
        List<String> given = words("--rows");
        return (given.isEmpty() ? List.of(usual.split(",")) : given)
                .stream()
                        .map(word -> word.replace("%d", Integer.toString(Machine.coresHere())))
                        .distinct()
                        .map(word -> row("--rows", word))
                        .toList();
    }

    /// The one that `--row` names.
    Row row() {
        return row("--row", word("--row", "jruby-10"));
    }

    private Row row(String flag, String word) {
        try {
            return Row.parse(word);
        } catch (IllegalArgumentException wrong) {
            throw wrong(flag + ": " + wrong.getMessage());
        }
    }

    /// @throws ParameterException when a word of `--peer` names none
    Peers peers() {
        try {
            return new Peers(words("--peer"));
        } catch (IllegalArgumentException wrong) {
            throw wrong("--peer " + wrong.getMessage());
        }
    }

    /// How many jobs a row gets: those of `--jobs`, or of the flag for its kind. Such a one has a
    /// rate that is low and flat.
    int jobs(Row row) {
        if (row.kind().isForking() && benchmark.takes("--forked-jobs")) {
            return number("--forked-jobs");
        }
        boolean isFewer = !row.kind().isOurs() && benchmark.takes("--peer-jobs");
        return number(isFewer ? "--peer-jobs" : "--jobs");
    }

    /// @throws ParameterException unless `value` is from `min` to `max`
    void within(String flag, int value, int min, int max) {
        if (value < min || value > max) {
            throw wrong("%s %s must be from %s to %s".formatted(flag, value, min, max));
        }
    }

    ParameterException wrong(String problem) {
        return new ParameterException(flags.commandSpec().commandLine(), problem);
    }

    /// A Cluster of one node, beside the Redis of the ground.
    BenchRedis startCluster() {
        return BenchRedis.startCluster(main.environment());
    }

    /// Measures with a Redis.
    Figures run(Measurement<Ground> measurement) throws InterruptedException {
        return runAlone((_, folder) -> {
            try (BenchRedis server = BenchRedis.start(main.environment())) {
                redis = server.description();
                List<String> launcher = main.launcher().get();
                return measurement.of(this, new Ground(server, folder, main.clock(), launcher));
            }
        });
    }

    /// Measures with nothing but a folder for what the runs need and leave.
    Figures runAlone(Measurement<Path> measurement) throws InterruptedException {
        Path folder = BenchFolder.make();
        try {
            Figures figures = measurement.of(this, folder);
            BenchFolder.delete(folder);
            return figures;
        } catch (BenchFailure failure) {
            throw new BenchFailure(failure.getMessage() + " (logs: " + folder + ")", failure);
        }
    }

    /// The contestants of all rows. A row that this machine lacks the program for is left out, with
    /// a note.
    List<Contestant> enter(Contestants all) {
        return enter(all, rows(), this::jobs);
    }

    /// The same of other rows.
    ///
    /// @param jobs that a row gets
    List<Contestant> enter(Contestants all, List<Row> rows, ToIntFunction<Row> jobs) {
        return rows.stream()
                .flatMap(row -> enter(all, row, jobs.applyAsInt(row)).stream())
                .toList();
    }

    /// The contestant of a row, if it can take part.
    Optional<Contestant> enter(Contestants all, Row row, int jobs) {
        Optional<String> missing = row.kind().missing();
        missing.ifPresent(reason -> note(row + " is left out: " + reason));
        return missing.isEmpty() ? Optional.of(all.of(row, jobs)) : Optional.empty();
    }

    /// Lets contestants race once in each round.
    List<Result> race(Race race, List<Contestant> entered, Figures.View view)
            throws InterruptedException {
        return takeTurns(entered, race::run, view.columns());
    }

    /// The same with figures of its own.
    ///
    /// @param more adds them to a run
    List<Result> race(
            Race race, List<Contestant> entered, Figures.View view, UnaryOperator<Run> more)
            throws InterruptedException {
        return takeTurns(entered, one -> more.apply(race.run(one)), view.columns());
    }

    /// Lets each contestant run once in each round.
    ///
    /// @param columns the figures of a run; the first ones are printed after each
    List<Result> takeTurns(List<Contestant> contestants, Turn turn, List<Column> columns)
            throws InterruptedException {
        if (contestants.isEmpty()) {
            throw new BenchFailure("nothing is left to measure");
        }
        int runs = number("--runs");
        List<List<Run>> all = contestants.stream().<List<Run>>map(_ -> new ArrayList<>()).toList();
        for (int round = 1; round <= runs; round++) {
            for (int i = 0; i < contestants.size(); i++) {
                Run run = turn.take(contestants.get(i));
                all.get(i).add(run);
                String line =
                        "run %s of %s, %s: ".formatted(round, runs, contestants.get(i).name());
                progress(line + shown(run, columns));
            }
        }
        return IntStream.range(0, contestants.size())
                .mapToObj(i -> new Result(contestants.get(i), all.get(i)))
                .toList();
    }

    private static String shown(Run run, List<Column> columns) {
        return columns.stream()
                .limit(SHOWN)
                .map(column -> column.text(run.of(column.field())) + " " + column.title())
                .collect(Collectors.joining(", "));
    }

    /// Figures of these results, for the benchmark to fill in.
    Figures figures(List<Result> results) {
        return new Figures(benchmark.name(), redis, results, notes);
    }

    /// Writes samples and a plot where `--files` asks for them, also before the benchmark fails:
    /// then they show why.
    void keep(String csv, String picture) {
        if (has("--files")) {
            String stem = word("--files", "");
            BenchFolder.write(Path.of(stem + ".csv").toAbsolutePath(), csv);
            BenchFolder.write(Path.of(stem + ".svg").toAbsolutePath(), picture);
        }
    }

    /// Keeps a remark for the report.
    void note(String text) {
        notes.add(text);
        progress(text);
    }

    /// Shows the progress to whoever waits.
    private void progress(String text) {
        flags.commandSpec().commandLine().getErr().println(text);
    }
}
