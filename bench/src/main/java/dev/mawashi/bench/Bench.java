package dev.mawashi.bench;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What the commands of all benchmarks have alike: their flags, the ground, the turns that the
/// contestants take, and where what was found out goes.
final class Bench {
    static final int JOBS_MAX = 50_000_000;
    static final int PROCESSES_MAX = 100;
    static final int THREADS_MAX = 10_000;

    private static final int RUNS_MAX = 100;

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final Supplier<List<String>> launcher;
    private final List<String> notes = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each, in turn (3).")
    private int runs = 3;

    @SuppressWarnings("UnusedVariable") // Suite asks the parser for its values.
    @Mixin
    private final OutputOption output = new OutputOption();

    private Consumer<Report> taker = _ -> {};

    /// The measuring itself.
    @FunctionalInterface
    interface Measurement {
        Report on(Ground ground) throws InterruptedException;
    }

    /// The measuring itself, where there is no server.
    @FunctionalInterface
    interface LoneMeasurement {
        /// @param folder for what the runs need and leave
        Report in(Path folder) throws InterruptedException;
    }

    /// One run of one contestant.
    ///
    /// @param <F> its figures
    @FunctionalInterface
    interface Turn<F> {
        F take(Contestant contestant) throws InterruptedException;
    }

    /// @param environment where the ground's Redis is looked for
    /// @param launcher tells the words before Mawashi's commands
    Bench(Map<String, String> environment, InstantSource clock, Supplier<List<String>> launcher) {
        this.environment = environment;
        this.clock = clock;
        this.launcher = launcher;
    }

    /// Where what is found out goes.
    Bench handTo(Consumer<Report> other) {
        taker = other;
        return this;
    }

    /// Measures, and hands over what was found out.
    ///
    /// @return the exit code
    int run(Measurement measurement) throws InterruptedException {
        return runAlone(folder -> {
            try (BenchRedis redis = BenchRedis.start(environment)) {
                return measurement.on(new Ground(redis, folder, clock, launcher.get()));
            }
        });
    }

    /// The same for what needs no Redis.
    ///
    /// @return the exit code
    int runAlone(LoneMeasurement measurement) throws InterruptedException {
        within("--runs", runs, RUNS_MAX);
        Path folder = BenchFolder.make();
        try {
            taker.accept(measurement.in(folder));
        } catch (BenchFailure failure) {
            throw new BenchFailure(failure.getMessage() + " (logs: " + folder + ")", failure);
        }
        BenchFolder.delete(folder);
        return Main.DONE;
    }

    /// Who takes part; whoever is not on this machine is left out with a note.
    List<Contestant> enter(Contestants contestants, Map<Row, Integer> jobsByRow) {
        List<Contestant> all = new ArrayList<>();
        jobsByRow.forEach((row, jobs) -> {
            Optional<String> reason = row.kind().missing();
            if (reason.isPresent()) {
                note(row + " is left out: " + reason.get());
            } else {
                all.add(contestants.of(row, jobs));
            }
        });
        return all;
    }

    /// Lets each contestant run once in each round.
    ///
    /// @param told what is said of a run at once
    <F> Map<Contestant, List<F>> takeTurns(
            List<Contestant> contestants, Turn<F> turn, Function<F, String> told)
            throws InterruptedException {
        Map<Contestant, List<F>> figures = new LinkedHashMap<>();
        contestants.forEach(one -> figures.put(one, new ArrayList<>()));
        for (int round = 1; round <= runs; round++) {
            for (Map.Entry<Contestant, List<F>> entry : figures.entrySet()) {
                F run = turn.take(entry.getKey());
                entry.getValue().add(run);
                String name = entry.getKey().name();
                progress("run %d of %d, %s: %s".formatted(round, runs, name, told.apply(run)));
            }
        }
        return figures;
    }

    /// Keeps a remark for the report.
    void note(String text) {
        notes.add(text);
        progress(text);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    /// Tells who waits how far it is.
    void progress(String text) {
        spec.commandLine().getErr().println(text);
    }

    /// @throws ParameterException unless `value` is from 1 to `max`
    void within(String flag, int value, int max) {
        if (value < 1 || value > max) {
            throw wrong(flag + " " + value + " must be from 1 to " + max);
        }
    }

    /// What a flag `--row` names.
    ///
    /// @throws ParameterException when it names none
    Row row(String word) {
        try {
            return Row.parse(word);
        } catch (IllegalArgumentException wrong) {
            throw wrong("--row: " + wrong.getMessage());
        }
    }

    ParameterException wrong(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
