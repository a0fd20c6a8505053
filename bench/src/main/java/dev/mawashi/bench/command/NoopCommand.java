package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Programs;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.RedisLimit;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench noop`.
@Command(
        name = "noop",
        description = {
            "Jobs that do nothing: what a job server itself costs. The jobs are in Redis before the"
                    + " servers start; the time runs from the start of the process (cold JVM) to"
                    + " the last job, by what the jobs themselves counted."
        },
        footer = {
            "  mawashi bench noop",
            "  mawashi bench noop --jobs 1000000 --peer sidekiq --runs 3",
            "  mawashi bench noop --runner jruby,mri --peer sidekiq --report noop.html",
            "  mawashi bench noop --jobs 300000 --peer sidekiq --middleware 3",
            "  mawashi bench noop --jobs 3000000 --threads 4 --json > noop.json",
        })
final class NoopCommand implements Callable<Figures> {
    private static final int PEER_SHARE = 10;
    private static final int FORKED_SHARE = 50;
    private static final int MIDDLEWARE_MAX = 30;
    private static final List<String> RUNNERS = List.of("jruby", "mri");

    @Mixin private final Bench bench = new Bench();
    @Mixin private final PeerOption peer = new PeerOption();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (1000000).")
    private int jobs = 1_000_000;

    @Option(names = "--threads", paramLabel = "N", description = "Jobs at once in Mawashi (10).")
    private int threads = 10;

    @Option(
            names = "--peer-jobs",
            paramLabel = "N",
            description = "Jobs a run of a peer (a tenth of --jobs: its rate is flat).")
    private @Nullable Integer peerJobs;

    @Option(
            names = "--runner",
            paramLabel = "RUNNER",
            split = ",",
            description = "What runs the jobs in Mawashi: jruby, mri or jruby,mri (jruby).")
    private List<String> runners = new ArrayList<>();

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

    @Option(
            names = "--job-log",
            description =
                    "All log two lines a job, which they do by default, and not only warnings.")
    private boolean isJobLog;

    @Option(
            names = "--status",
            description =
                    "Each job tells Redis when it begins and when it has ended, as all did before"
                            + " Sidekiq 4.")
    private boolean tellsStatus;

    /// How many jobs a peer gets.
    private int theirs;

    @Override
    public Figures call() throws InterruptedException {
        check();
        return bench.run(this::measure);
    }

    private void check() {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        bench.within("--threads", threads, Row.THREADS_MAX);
        bench.within("--processes", processes, Row.PROCESSES_MAX);
        for (String runner : runners) {
            if (!RUNNERS.contains(runner)) {
                throw bench.wrong("--runner " + runner + " must be jruby or mri");
            }
        }
        theirs = bench.share("--peer-jobs", peerJobs, jobs, PEER_SHARE);
        bench.within("--peer-processes", peerProcesses, Row.PROCESSES_MAX);
        bench.within("--peer-threads", peerThreads, Row.THREADS_MAX);
        if (middleware < 0 || middleware > MIDDLEWARE_MAX) {
            throw bench.wrong(
                    "--middleware " + middleware + " must be from 0 to " + MIDDLEWARE_MAX);
        }
        peer.check();
    }

    private Figures measure(Ground ground) throws InterruptedException {
        Race race = new Race(ground, Payloads.NOOP);
        RedisLimit redisLimit = new RedisLimit(ground.redis());
        List<Contestant> contestants = contestants(ground);
        List<Double> limit = new ArrayList<>();
        Bench.Turn turn =
                one -> {
                    Run run = race.run(one);
                    if (one.equals(contestants.getLast()) && RedisLimit.isHere()) {
                        limit.add(redisLimit.measure(jobs));
                    }
                    return run;
                };
        List<Result> results = bench.takeTurns(contestants, turn, NoopFigures.RATES);
        return new NoopFigures(results, limit)
                .fill(bench.figures(ground, results), ground.redis().description());
    }

    private List<Contestant> contestants(Ground ground) {
        Contestants all = Contestants.of(ground, "noop.rb");
        List<Contestant> contestants = new ArrayList<>();
        Map<String, String> variables = new HashMap<>();
        variables.put("BENCH_MIDDLEWARE", Integer.toString(middleware));
        if (tellsStatus) {
            variables.put("BENCH_STATUS", "1");
            variables.put("GEM_PATH", Programs.gemPath()); // The jobs need a client of Redis.
            bench.note("each job tells Redis when it begins and when it has ended");
        }
        for (Row row : ours()) {
            String name = runners.size() > 1 ? "mawashi-" + row.kind().word() : "mawashi";
            bench.enter(all, List.of(row), _ -> jobs).stream()
                    .map(one -> one.named(name).with(variables))
                    .forEach(contestants::add);
        }
        if (contestants.isEmpty()) {
            throw new BenchFailure("nothing is left to measure");
        }
        contestants.addAll(peers(all, variables));
        if (isJobLog) {
            contestants.replaceAll(Contestant::logging);
            bench.note("all log as they do by default: two lines a job, at its start and its end");
        }
        if (middleware > 0) {
            bench.note(
                    "each job goes through %d server middleware, the same for all"
                            .formatted(middleware));
        }
        if (!RedisLimit.isHere()) {
            bench.note("the limit of Redis is left out: redis-benchmark is not on PATH");
        }
        return contestants;
    }

    private List<Contestant> peers(Contestants all, Map<String, String> variables) {
        List<Contestant> peers = new ArrayList<>();
        peer.rows(new Row(Row.Kind.SIDEKIQ, peerProcesses, peerThreads))
                .forEach((name, row) -> {
                    if (!row.kind().isSidekiq() && (middleware > 0 || isJobLog || tellsStatus)) {
                        bench.note(name + " is left out: it has no middleware and no job log");
                        return;
                    }
                    bench.enter(all, List.of(row), this::jobs).stream()
                            .map(one -> one.named(name).with(variables))
                            .forEach(peers::add);
                });
        return peers;
    }

    /// A row whose jobs each have a process gets fewer: such a job takes some fifty times as long.
    private int jobs(Row row) {
        return row.kind().isForking() ? Math.max(1, theirs / FORKED_SHARE) : theirs;
    }

    private List<Row> ours() {
        List<String> words = runners.isEmpty() ? List.of("jruby") : runners;
        return words.stream()
                .distinct()
                .map(word ->
                        word.equals("mri")
                                ? new Row(Row.Kind.MRI, processes, threads)
                                : new Row(Row.Kind.JRUBY, 1, threads))
                .toList();
    }
}
