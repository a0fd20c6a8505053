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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// `mawashi bench noop`: who takes part. [NoopFigures] has what it shows.
final class Noop {
    private static final int FORKED_SHARE = 50;
    private static final List<String> RUNNERS = List.of("jruby", "mri");

    private Noop() {}

    static Figures measure(Bench bench) throws InterruptedException {
        for (String runner : bench.words("--runner")) {
            if (!RUNNERS.contains(runner)) {
                throw bench.wrong("--runner " + runner + " must be jruby or mri");
            }
        }
        return bench.run(Noop::measure);
    }

    private static Figures measure(Bench bench, Ground ground) throws InterruptedException {
        Race race = new Race(ground, Payloads.NOOP);
        RedisLimit redisLimit = new RedisLimit(ground.redis());
        List<Contestant> contestants = contestants(bench, ground);
        List<Double> limit = new ArrayList<>();
        List<Result> results =
                bench.takeTurns(
                        contestants,
                        one -> {
                            Run run = race.run(one);
                            if (one.equals(contestants.getLast()) && RedisLimit.isHere()) {
                                limit.add(redisLimit.measure(bench.number("--jobs")));
                            }
                            return run;
                        },
                        NoopFigures.RATES);
        return new NoopFigures(results, limit)
                .fill(bench.figures(results), ground.redis().description());
    }

    private static List<Contestant> contestants(Bench bench, Ground ground) {
        int middleware = bench.number("--middleware");
        Contestants all = Contestants.of(ground, "noop.rb");
        Map<String, String> variables = new HashMap<>();
        variables.put("BENCH_MIDDLEWARE", Integer.toString(middleware));
        if (bench.has("--status")) {
            variables.put("BENCH_STATUS", "1");
            variables.put("GEM_PATH", Programs.gemPath()); // The jobs need a client of Redis.
            bench.note("each job reports to Redis when it begins and when it has ended");
        }
        List<Contestant> contestants = ours(bench, all);
        if (contestants.isEmpty()) {
            throw new BenchFailure("nothing is left to measure");
        }
        contestants.addAll(peers(bench, all));
        contestants.replaceAll(one -> one.with(variables));
        if (bench.has("--job-log")) {
            contestants.replaceAll(Contestant::logging);
            bench.note(
                    "all log as they do by default: two lines per job, at its start and its end");
        }
        if (middleware > 0) {
            bench.note(
                    "each job goes through %s server middleware, the same for all"
                            .formatted(middleware));
        }
        if (!RedisLimit.isHere()) {
            bench.note("the limit of Redis is left out: redis-benchmark is not on PATH");
        }
        return contestants;
    }

    private static List<Contestant> ours(Bench bench, Contestants all) {
        List<String> given = bench.words("--runner");
        List<Contestant> ours = new ArrayList<>();
        for (String runner : new LinkedHashSet<>(given.isEmpty() ? List.of("jruby") : given)) {
            int threads = bench.number("--threads");
            Row row =
                    runner.equals("mri")
                            ? new Row(Row.Kind.MRI, bench.number("--processes"), threads)
                            : new Row(Row.Kind.JRUBY, 1, threads);
            String name = given.size() > 1 ? "mawashi-" + runner : "mawashi";
            bench.enter(all, row, bench.number("--jobs"))
                    .map(one -> one.named(name))
                    .ifPresent(ours::add);
        }
        return ours;
    }

    private static List<Contestant> peers(Bench bench, Contestants all) {
        boolean isForSidekiq =
                bench.number("--middleware") > 0 || bench.has("--job-log") || bench.has("--status");
        int processes = bench.number("--peer-processes");
        int threads = bench.number("--peer-threads");
        List<Contestant> peers = new ArrayList<>();
        bench.peers()
                .rows(new Row(Row.Kind.SIDEKIQ, processes, threads))
                .forEach((name, row) -> {
                    if (isForSidekiq && !row.kind().isSidekiq()) {
                        bench.note(name + " is left out: it has no middleware and no job log");
                        return;
                    }
                    bench.enter(all, row, jobs(bench, row))
                            .map(one -> one.named(name))
                            .ifPresent(peers::add);
                });
        return peers;
    }

    /// A row whose jobs each have a process gets fewer: such a job takes some fifty times as long.
    private static int jobs(Bench bench, Row row) {
        int jobs = bench.number("--peer-jobs");
        return row.kind().isForking() ? Math.max(1, jobs / FORKED_SHARE) : jobs;
    }
}
