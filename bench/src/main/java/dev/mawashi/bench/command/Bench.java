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
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What the commands of all benchmarks share: flags, the ground, and the contestants' turns.
final class Bench {
    static final int JOBS_MAX = 50_000_000;

    private static final int RUNS_MAX = 100;
    private static final int TOLD = 3;

    private final List<String> notes = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each, in turn (3).")
    private int runs = 3;

    @SuppressWarnings("UnusedVariable") // Suite asks the parser for its values.
    @Mixin
    private final OutputOption output = new OutputOption();

    /// The measuring itself.
    ///
    /// @param <G> where it takes place
    @FunctionalInterface
    interface Measurement<G> {
        Figures on(G ground) throws InterruptedException;
    }

    /// One run of one contestant.
    @FunctionalInterface
    interface Turn {
        Run take(Contestant contestant) throws InterruptedException;
    }

    /// Measures with a Redis.
    Figures run(Measurement<Ground> measurement) throws InterruptedException {
        Main main = (Main) spec.root().userObject();
        return runAlone(folder -> {
            try (BenchRedis redis = BenchRedis.start(main.environment())) {
                List<String> launcher = main.launcher().get();
                return measurement.on(new Ground(redis, folder, main.clock(), launcher));
            }
        });
    }

    /// Measures with nothing but a folder for what the runs need and leave.
    Figures runAlone(Measurement<Path> measurement) throws InterruptedException {
        within("--runs", runs, RUNS_MAX);
        Path folder = BenchFolder.make();
        try {
            Figures figures = measurement.on(folder);
            BenchFolder.delete(folder);
            return figures;
        } catch (BenchFailure failure) {
            throw new BenchFailure(failure.getMessage() + " (logs: " + folder + ")", failure);
        }
    }

    /// The contestants. A row that this machine lacks the program for is left out, with a note.
    ///
    /// @param jobs that a row gets
    List<Contestant> enter(Contestants all, List<Row> rows, ToIntFunction<Row> jobs) {
        List<Contestant> entered = new ArrayList<>();
        for (Row row : rows) {
            Optional<String> reason = row.kind().missing();
            if (reason.isPresent()) {
                note(row + " is left out: " + reason.get());
            } else {
                entered.add(all.of(row, jobs.applyAsInt(row)));
            }
        }
        return entered;
    }

    /// Lets each contestant race once in each round.
    List<Result> race(Ground ground, Payloads payloads, List<Contestant> all, Figures.View view)
            throws InterruptedException {
        Race race = new Race(ground, payloads);
        return takeTurns(all, race::run, view.columns());
    }

    /// Lets each contestant run once in each round.
    ///
    /// @param columns the figures of a run; the first ones are printed after each
    List<Result> takeTurns(List<Contestant> contestants, Turn turn, List<Column> columns)
            throws InterruptedException {
        if (contestants.isEmpty()) {
            throw new BenchFailure("nothing is left to measure");
        }
        List<List<Run>> all = contestants.stream().<List<Run>>map(_ -> new ArrayList<>()).toList();
        for (int round = 1; round <= runs; round++) {
            for (int i = 0; i < contestants.size(); i++) {
                Run run = turn.take(contestants.get(i));
                all.get(i).add(run);
                String told = "run %d of %d, %s:".formatted(round, runs, contestants.get(i).name());
                progress(told + told(run, columns));
            }
        }
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < contestants.size(); i++) {
            results.add(new Result(contestants.get(i), all.get(i)));
        }
        return results;
    }

    private static String told(Run run, List<Column> columns) {
        StringBuilder told = new StringBuilder();
        for (Column column : columns.subList(0, Math.min(TOLD, columns.size()))) {
            told.append(told.isEmpty() ? " " : ", ").append(column.text(run.of(column.field())));
            told.append(' ').append(column.title());
        }
        return told.toString();
    }

    /// Figures of these results, for the command to fill in.
    Figures figures(Ground ground, List<Result> results) {
        return new Figures(spec.name(), ground.redis().description(), results, notes);
    }

    /// The same for a benchmark without Redis.
    Figures figures(List<Result> results) {
        return new Figures(spec.name(), "", results, notes);
    }

    /// Keeps a remark for the report.
    void note(String text) {
        notes.add(text);
        progress(text);
    }

    /// Shows the progress to whoever waits.
    private void progress(String text) {
        spec.commandLine().getErr().println(text);
    }

    /// @throws ParameterException unless `value` is from 1 to `max`
    void within(String flag, int value, int max) {
        if (value < 1 || value > max) {
            throw wrong(flag + " " + value + " must be from 1 to " + max);
        }
    }

    /// The value of a flag or, without it, a part of another number.
    ///
    /// @throws ParameterException unless it is from 1 to [#JOBS_MAX]
    int share(String flag, @Nullable Integer value, int all, int part) {
        int share = value == null ? Math.max(1, all / part) : value;
        within(flag, share, JOBS_MAX);
        return share;
    }

    /// The row that a flag names.
    ///
    /// @throws ParameterException when it names no row
    Row row(String flag, String word) {
        try {
            return Row.parse(word);
        } catch (IllegalArgumentException wrong) {
            throw wrong(flag + ": " + wrong.getMessage());
        }
    }

    ParameterException wrong(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
