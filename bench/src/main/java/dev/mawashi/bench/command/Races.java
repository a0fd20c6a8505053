package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.Views.RATE;
import static dev.mawashi.bench.command.Views.RATES;
import static dev.mawashi.bench.command.Views.WORKING;
import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.report.ChartPicture;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Benchmarks whose rows each work off a full queue, from the start of their processes to the last
/// job.
final class Races {
    /// Jobs a second of Resque 3.0 on MRI 3.3.8, two workers, measured once on two cores.
    private static final double RESQUE_RECORDED = 228;

    /// The jobs of 100 ms that one slot can run in a second.
    private static final int WAITS_A_SECOND = 10;

    private static final int RAILS_JOBS = 4_000;
    private static final String FIRST = "first_job_seconds";
    private static final Figures.View BOOT =
            Figures.View.lessIsBetter(new Column("first job s", FIRST, 3), Views.CPU, Views.PEAK)
                    .drawing("cpu_seconds", "peak_megabytes");

    private Races() {}

    static Figures sha(Bench bench, Ground ground) throws InterruptedException {
        List<Contestant> entered = bench.enter(Contestants.of(ground, "sha.rb"));
        List<Result> results = bench.race(new Race(ground, Payloads.SHA), entered, RATES);
        Map<String, String> rates = new HashMap<>();
        results.forEach(one ->
                rates.put(one.name(), text("%s: %,.0f jobs/s", one.name(), one.median(RATE))));
        String picture =
                ChartPicture.of(
                        "Jobs that compute",
                        "How busy the cores were, Redis and all",
                        Charts.cores(results).charts(),
                        name -> rates.getOrDefault(name, name));
        return bench.figures(results)
                .race(RATES, Views.withFastest(results, Races::hasAProcessACore))
                .picture(picture);
    }

    /// Whether it is Sidekiq with as many processes as the machine has cores.
    private static boolean hasAProcessACore(Result one) {
        return one.isSidekiq() && Row.parse(one.name()).processes() == Machine.coresHere();
    }

    static Figures io(Bench bench, Ground ground) throws InterruptedException {
        Figures.View view = Views.rates(new Column("of ideal", "of_ideal", 3));
        int seconds = bench.number("--seconds");
        List<Contestant> entered =
                bench.enter(
                        Contestants.of(ground, "io.rb"),
                        bench.rows(),
                        row -> row.slots() * WAITS_A_SECOND * seconds);
        List<Result> results =
                bench.race(
                        new Race(ground, Payloads.SLEEP),
                        entered,
                        view,
                        run -> run.with("of_ideal", seconds / run.of("work_seconds")));
        return bench.figures(results)
                .race(view, Views.withFastest(results, one -> one.name().startsWith("sidekiq-1x")));
    }

    static Figures fork(Bench bench, Ground ground) throws InterruptedException {
        String times = "times_resque_recorded";
        Figures.View view = Views.rates(new Column("x 228/s", times, 2));
        List<Contestant> entered = bench.enter(Contestants.of(ground, "noop.rb"));
        bench.note(
                "x 228/s: of a figure of Resque 3.0, MRI 3.3.8, 2 workers on 2 cores, recorded once"
                        + " and not in this run");
        List<Result> results =
                bench.race(
                        new Race(ground, Payloads.NOOP),
                        entered,
                        view,
                        run -> run.with(times, run.of(WORKING) / RESQUE_RECORDED));
        return bench.figures(results)
                .race(view, Views.withFastest(results, one -> one.name().startsWith("loop-")));
    }

    static Figures memory(Bench bench) throws InterruptedException {
        if (!bench.has("--app")) {
            return bench.run((_, ground) -> {
                List<Contestant> entered = bench.enter(Contestants.of(ground, "noop.rb"));
                return memory(bench, new Race(ground, Payloads.NOOP), entered);
            });
        }
        Path app = Path.of(bench.word("--app", ""));
        if (!Files.isRegularFile(app.resolve("config/application.rb"))) {
            throw bench.wrong("--app " + app + " is no Rails app: no config/application.rb in it");
        }
        List<Row> rows = bench.rows("mri-4x5,sidekiq-4x5");
        int jobs = bench.has("--jobs") ? bench.number("--jobs") : RAILS_JOBS;
        return bench.run((_, ground) -> {
            Contestants all = Contestants.ofRails(ground, app);
            List<Contestant> entered = bench.enter(all, rows, _ -> jobs);
            return memory(bench, new Race(ground, Payloads.OBJECTS), entered);
        });
    }

    private static Figures memory(Bench bench, Race race, List<Contestant> entered)
            throws InterruptedException {
        List<Result> results = bench.race(race, entered, Views.MEMORY);
        String size = "ruby_pss_megabytes";
        return bench.figures(results)
                .race(Views.MEMORY, Views.withFastest(results, Result::isSidekiq, size, size));
    }

    static Figures boot(Bench bench, Ground ground) throws InterruptedException {
        // The job writes its own line: the sums of the counting thread come some ms later.
        List<Contestant> entered =
                bench.enter(Contestants.of(ground, "noop.rb"), bench.rows(), _ -> 1).stream()
                        .map(one -> one.with(Contestants.EACH))
                        .toList();
        List<Result> results =
                bench.race(
                        new Race(ground, Payloads.NOOP),
                        entered,
                        BOOT,
                        run -> run.with(FIRST, run.of("total_seconds")));
        return bench.figures(results)
                .race(BOOT, Views.withFastest(results, Result::isSidekiq, FIRST, FIRST));
    }

    static Figures fanout(Bench bench, Ground ground) throws InterruptedException {
        List<Contestant> entered =
                bench.enter(
                        Contestants.of(ground, "fanout.rb"),
                        bench.rows(),
                        row -> bench.jobs(row) * Payloads.FANOUT.jobs());
        List<Result> results = bench.race(new Race(ground, Payloads.FANOUT), entered, RATES);
        return bench.figures(results).race(RATES, Views.withFastest(results, Result::isSidekiq));
    }
}
