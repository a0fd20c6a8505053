package dev.mawashi.bench;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `mawashi bench schedule`.
@Command(
        name = "schedule",
        description = {
            "Jobs that are due at a known time, beside many that are not: how late they begin, and"
                    + " how long many that are due at one instant take to move and hold Redis."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench schedule",
            "  mawashi bench schedule --entries 1000000 --burst 100000 --runs 5 --peer sidekiq",
            "  mawashi bench schedule --json > schedule.json",
        })
final class ScheduleCommand implements Callable<Integer> {
    private static final int ENTRIES_MAX = 20_000_000;
    private static final int BURST_MAX = 1_000_000;
    private static final int PROBES_MAX = 100_000;
    private static final int SECONDS_MAX = 3_600;
    private static final int RUNS_MAX = 100;
    private static final int THREADS_MAX = 1_000;

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final List<String> notes = new ArrayList<>();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--entries", paramLabel = "N", description = "Jobs for later (1000000).")
    private int entries = 1_000_000;

    @Option(names = "--probes", paramLabel = "N", description = "Jobs due one by one (200).")
    private int probes = 200;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Time over which they are due (20).")
    private int seconds = 20;

    @Option(names = "--burst", paramLabel = "N", description = "Jobs due at one instant (100000).")
    private int burst = 100_000;

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each, in turn (3).")
    private int runs = 3;

    @Option(names = "--threads", paramLabel = "N", description = "Jobs at once in each (10).")
    private int threads = 10;

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            description = "Runs this one too; so far there is sidekiq.")
    private List<String> peers = new ArrayList<>();

    @Option(names = "--json", description = "One JSON object with every run's figures.")
    private boolean isJson;

    ScheduleCommand(Map<String, String> environment, InstantSource clock) {
        this.environment = environment;
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<String> launcher = Contestants.launcher();
        Path folder = BenchFolder.make();
        try (BenchRedis redis = BenchRedis.start(environment)) {
            ScheduleReport report = measure(redis, contestants(launcher, folder), folder);
            if (isJson) {
                spec.commandLine().getOut().println(report.json());
            } else {
                report.print(spec.commandLine().getOut());
            }
        } catch (BenchFailure failure) {
            throw new BenchFailure(failure.getMessage() + " (logs: " + folder + ")", failure);
        }
        BenchFolder.delete(folder);
        return Main.DONE;
    }

    private void check() {
        within("--entries", entries, ENTRIES_MAX);
        within("--probes", probes, PROBES_MAX);
        within("--seconds", seconds, SECONDS_MAX);
        within("--burst", burst, BURST_MAX);
        within("--runs", runs, RUNS_MAX);
        within("--threads", threads, THREADS_MAX);
        for (String peer : peers) {
            if (!peer.equals("sidekiq")) {
                wrong("--peer " + peer + " is not known: the only one is sidekiq");
            }
        }
    }

    private void within(String flag, int value, int max) {
        if (value < 1 || value > max) {
            wrong(flag + " " + value + " must be from 1 to " + max);
        }
    }

    private void wrong(String problem) {
        throw new ParameterException(spec.commandLine(), problem);
    }

    private List<Contestant> contestants(List<String> launcher, Path folder) {
        BenchFolder.app(folder, "noop.rb");
        Path app = BenchFolder.app(folder, "schedule.rb");
        List<Contestant> all = new ArrayList<>();
        all.add(Contestants.mawashi(launcher, app, threads, burst));
        if (!peers.isEmpty()) {
            Optional<Contestant> sidekiq = Contestants.sidekiq(app, 1, threads, burst);
            sidekiq.ifPresent(all::add);
            if (sidekiq.isEmpty()) {
                String note = "sidekiq is left out: it is not on PATH (apt install ruby-sidekiq)";
                notes.add(note);
                spec.commandLine().getErr().println(note);
            }
        }
        return all;
    }

    private ScheduleReport measure(BenchRedis redis, List<Contestant> contestants, Path folder)
            throws InterruptedException {
        ScheduleRace.Load load = new ScheduleRace.Load(entries, probes, seconds, burst);
        ScheduleRace race = new ScheduleRace(redis, folder, clock, load);
        Map<Contestant, List<ScheduleFigures>> figures = new LinkedHashMap<>();
        contestants.forEach(one -> figures.put(one, new ArrayList<>()));
        for (int round = 1; round <= runs; round++) {
            for (Map.Entry<Contestant, List<ScheduleFigures>> entry : figures.entrySet()) {
                ScheduleFigures run = race.run(entry.getKey());
                entry.getValue().add(run);
                progress(round, entry.getKey(), run);
            }
        }
        return new ScheduleReport(Machine.here(), redis.description(), load, figures, notes);
    }

    private void progress(int round, Contestant contestant, ScheduleFigures run) {
        spec.commandLine()
                .getErr()
                .printf(
                        Locale.ROOT,
                        "run %d of %d, %s: p99 %.1f ms late, %,d moved in %.2f s%n",
                        round,
                        runs,
                        contestant.name(),
                        run.percentile(99),
                        burst,
                        run.movedSeconds());
    }
}
