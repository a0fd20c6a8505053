package dev.mawashi.bench;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `mawashi bench noop`.
@Command(
        name = "noop",
        description = {
            "Jobs that do nothing: what a job server itself costs. The jobs are in Redis before the"
                    + " servers start; the time runs from the start of the process (cold JVM) to"
                    + " the last job, by what the jobs themselves counted."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench noop",
            "  mawashi bench noop --jobs 1000000 --peer sidekiq --runs 3",
            "  mawashi bench noop --jobs 300000 --peer sidekiq --middleware 3",
            "  mawashi bench noop --jobs 3000000 --threads 4 --json > noop.json",
        })
final class NoopCommand implements Callable<Integer> {
    private static final int JOBS_MAX = 50_000_000;
    private static final int RUNS_MAX = 100;
    private static final int PEER_SHARE = 10;
    private static final int PROCESSES_MAX = 100;
    private static final int THREADS_MAX = 1_000;
    private static final int MIDDLEWARE_MAX = 30;

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final List<String> notes = new ArrayList<>();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (1000000).")
    private int jobs = 1_000_000;

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each, in turn (3).")
    private int runs = 3;

    @Option(names = "--threads", paramLabel = "N", description = "Jobs at once in Mawashi (10).")
    private int threads = 10;

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            description = "Runs this one too; so far there is sidekiq.")
    private List<String> peers = new ArrayList<>();

    @Option(
            names = "--peer-jobs",
            paramLabel = "N",
            description = "Jobs a run of a peer (a tenth of --jobs: its rate is flat).")
    private @Nullable Integer peerJobs;

    @Option(
            names = "--runner",
            paramLabel = "jruby|mri",
            description = "What runs the jobs in Mawashi (jruby).")
    private String runner = "jruby";

    @Option(names = "--processes", paramLabel = "N", description = "With mri, children (2).")
    private int processes = 2;

    @Option(names = "--peer-processes", paramLabel = "N", description = "Processes of a peer (2).")
    private int peerProcesses = 2;

    @Option(names = "--peer-threads", paramLabel = "N", description = "Threads of each (10).")
    private int peerThreads = 10;

    @Option(
            names = "--middleware",
            paramLabel = "N",
            description = "Server middleware around each job, the same for all (0).")
    private int middleware;

    @Option(names = "--json", description = "One JSON object with every run's figures.")
    private boolean isJson;

    NoopCommand(Map<String, String> environment, InstantSource clock) {
        this.environment = environment;
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<String> launcher = Contestants.launcher();
        Path folder = BenchFolder.make();
        try (BenchRedis redis = BenchRedis.start(environment)) {
            List<Contestant> contestants =
                    contestants(launcher, BenchFolder.app(folder, "noop.rb"));
            Results results = measure(redis, contestants, folder);
            if (isJson) {
                spec.commandLine().getOut().println(new JsonReport(results).text());
            } else {
                new TextReport(results, spec.commandLine().getOut()).print();
            }
        } catch (BenchFailure failure) {
            throw new BenchFailure(failure.getMessage() + " (logs: " + folder + ")", failure);
        }
        BenchFolder.delete(folder);
        return Main.DONE;
    }

    private void check() {
        within("--jobs", jobs, JOBS_MAX);
        within("--runs", runs, RUNS_MAX);
        within("--threads", threads, THREADS_MAX);
        within("--processes", processes, PROCESSES_MAX);
        if (!List.of("jruby", "mri").contains(runner)) {
            wrong("--runner " + runner + " must be jruby or mri");
        }
        within("--peer-jobs", peerJobs(), JOBS_MAX);
        within("--peer-processes", peerProcesses, PROCESSES_MAX);
        within("--peer-threads", peerThreads, THREADS_MAX);
        if (middleware < 0 || middleware > MIDDLEWARE_MAX) {
            wrong("--middleware " + middleware + " must be from 0 to " + MIDDLEWARE_MAX);
        }
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

    private int peerJobs() {
        return peerJobs == null ? Math.max(1, jobs / PEER_SHARE) : peerJobs;
    }

    private List<Contestant> contestants(List<String> launcher, Path app) {
        List<Contestant> all = new ArrayList<>();
        Contestant ours =
                runner.equals("mri")
                        ? Contestants.mri(launcher, app, processes, threads, jobs)
                        : Contestants.mawashi(launcher, app, threads, jobs);
        all.add(ours.with(variables()));
        if (!peers.isEmpty()) {
            Optional<Contestant> sidekiq =
                    Contestants.sidekiq(app, peerProcesses, peerThreads, peerJobs());
            sidekiq.map(one -> one.with(variables())).ifPresent(all::add);
            if (sidekiq.isEmpty()) {
                note("sidekiq is left out: it is not on PATH (apt install ruby-sidekiq)");
            }
        }
        if (middleware > 0) {
            note(
                    "each job goes through %d server middleware, the same for all"
                            .formatted(middleware));
        }
        if (!RedisLimit.isHere()) {
            note("the limit of Redis is left out: redis-benchmark is not on PATH");
        }
        return all;
    }

    private Map<String, String> variables() {
        return Map.of("BENCH_MIDDLEWARE", Integer.toString(middleware));
    }

    private void note(String text) {
        notes.add(text);
        progress(text);
    }

    private Results measure(BenchRedis redis, List<Contestant> contestants, Path folder)
            throws InterruptedException {
        Race race = new Race(redis, folder, clock);
        RedisLimit redisLimit = new RedisLimit(redis);
        Map<Contestant, List<Figures>> figures = new LinkedHashMap<>();
        contestants.forEach(one -> figures.put(one, new ArrayList<>()));
        List<Double> limit = new ArrayList<>();
        for (int round = 1; round <= runs; round++) {
            for (Map.Entry<Contestant, List<Figures>> entry : figures.entrySet()) {
                Figures run = race.run(entry.getKey());
                entry.getValue().add(run);
                progress(
                        "run %d of %d, %s: %,d jobs in %.2f s, %,.0f jobs/s"
                                .formatted(
                                        round,
                                        runs,
                                        entry.getKey().name(),
                                        run.jobs(),
                                        run.totalSeconds(),
                                        run.totalRate()));
            }
            if (RedisLimit.isHere()) {
                limit.add(redisLimit.measure(jobs));
            }
        }
        return new Results("noop", Machine.here(), redis.description(), figures, limit, notes);
    }

    private void progress(String text) {
        spec.commandLine().getErr().println(text);
    }
}
