package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Spread;
import dev.mawashi.bench.rig.BeginLine;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.BenchFolder;
import dev.mawashi.bench.rig.BenchRedis;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Internals;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.Stint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Benchmarks that watch a server beside its work: when jobs begin, what it allocates, which
/// threads it starts, what it does when it is idle.
final class Watches {
    /// Jobs that are not counted: they show a server just after its start.
    private static final int WARM_UP = 50;

    /// The pause between two jobs. It varies a little, so that nothing periodic falls in step with
    /// them.
    private static final int REST_MS = 15;

    private static final int RESTS = 20;
    private static final int UNIT = 10_000;

    private Watches() {}

    static Figures latency(Bench bench, Ground ground) throws InterruptedException {
        Figures.View view =
                Figures.View.lessIsBetter(
                                new Column("p50 ms", "p50_ms", 3),
                                new Column("p99 ms", "p99_ms", 3),
                                new Column("longest ms", "max_ms", 3))
                        .drawing("p99_ms");
        int probes = bench.number("--probes");
        Contestants all = Contestants.of(ground, "schedule.rb");
        List<Contestant> entered = bench.enter(all, bench.rows(), _ -> probes);
        List<Result> results =
                bench.takeTurns(entered, one -> latency(ground, one), view.columns());
        return bench.figures(results)
                .rows(
                        view,
                        Multiples.withFirst(results, Result::isSidekiq, "p50_ms"),
                        Charts.PERCENTILES,
                        Charts.percentiles("From push to perform", "began_ms", results));
    }

    private static Run latency(Ground ground, Contestant contestant) throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant)) {
            for (int done = 0; done < WARM_UP + contestant.jobs(); done++) {
                byte[] payload = Payloads.PROBE.payload(ground.nanos(), contestant.intake());
                ground.redis().enqueue(payload, contestant.intake());
                int expected = done + 1;
                stint.await("a job", () -> BeginLine.in(stint.place()).size() >= expected);
                stint.rest(Duration.ofMillis(REST_MS + done % RESTS));
            }
            stint.finish();
            List<Double> millis =
                    BeginLine.in(stint.place()).stream()
                            .sorted(Comparator.comparingLong(BeginLine::argument))
                            .skip(WARM_UP)
                            .map(one -> (one.beganNanos() - one.argument()) / 1e6)
                            .sorted()
                            .toList();
            if (millis.size() != contestant.jobs()) {
                throw new BenchFailure(contestant.name() + " ran jobs twice");
            }
            return Run.EMPTY
                    .with("p50_ms", Spread.percentile(millis, 50))
                    .with("p99_ms", Spread.percentile(millis, 99))
                    .with("max_ms", millis.getLast())
                    .with("began_ms", millis);
        }
    }

    static Figures garbage(Bench bench) throws InterruptedException {
        for (Row row : bench.rows()) {
            if (!row.kind().isOurs() && row.kind() != Row.Kind.SIDEKIQ_JRUBY) {
                throw bench.wrong("--rows: " + row + " has no JVM");
            }
        }
        Figures.View view =
                Figures.View.lessIsBetter(
                                new Column("10,000 jobs MB", "megabytes_per_10000_jobs", 1),
                                new Column("first MB", "megabytes_first_10000_jobs", 1),
                                new Column("bytes/job", "bytes_per_job", 0))
                        .drawing("megabytes_first_10000_jobs");
        return bench.run((_, ground) -> {
            List<Contestant> entered = bench.enter(Contestants.of(ground, "noop.rb"));
            return bench.figures(
                            bench.takeTurns(entered, one -> garbage(ground, one), view.columns()))
                    .rows(view, Optional.empty());
        });
    }

    private static Run garbage(Ground ground, Contestant contestant) throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant)) {
            stint.work(1);
            try (Internals server = Internals.of(stint.server())) {
                long before = server.bytes();
                stint.work(UNIT);
                long between = server.bytes();
                stint.work(contestant.jobs());
                double each = (double) (server.bytes() - between) / contestant.jobs();
                stint.finish();
                return Run.EMPTY
                        .with("megabytes_per_10000_jobs", each * UNIT / 1e6)
                        .with("megabytes_first_10000_jobs", (between - before) / 1e6)
                        .with("bytes_per_job", each);
            }
        }
    }

    static Figures threads(Bench bench, Ground ground) throws InterruptedException {
        Figures.View view =
                Figures.View.lessIsBetter(
                                new Column("us/job", "us_per_job", 1),
                                new Column("work s", "work_seconds", 3),
                                new Column("threads started", "threads_started", 0),
                                new Column("ran in fibers", "fibers_that_ran_jobs", 0))
                        .drawing("threads_started", "fibers_that_ran_jobs");
        Row row = new Row(Row.Kind.JRUBY, 1, bench.number("--threads"));
        List<Contestant> contestants = new ArrayList<>();
        for (int times : List.of(1, 10, 100)) {
            int jobs = times * bench.number("--jobs");
            Contestant one = Contestants.of(ground, "fibers.rb").of(row, jobs);
            // What runs a job, in the words of fibers.rb.
            contestants.add(one.named(jobs + " jobs").with(Map.of("BENCH_FORM", "slot")));
            for (String form : List.of("fiber", "thread")) {
                String name = jobs + " jobs, a " + form + " each";
                contestants.add(one.named(name).with(Map.of("BENCH_FORM", form)));
            }
        }
        List<Result> results =
                bench.takeTurns(contestants, one -> threads(ground, one), view.columns());
        return bench.figures(results)
                .rows(view, Multiples.withFirst(results, _ -> true, "us_per_job"));
    }

    private static Run threads(Ground ground, Contestant contestant) throws InterruptedException {
        int jobs = contestant.jobs();
        try (Stint stint = Stint.start(ground, contestant)) {
            stint.work(1);
            double seconds;
            long started;
            try (Internals server = Internals.of(stint.server())) {
                long before = server.threadsStarted();
                double began = ground.nanos();
                stint.work(jobs);
                seconds = (stint.tally().moments().getLast().nanos() - began) / 1e9;
                started = server.threadsStarted() - before;
            }
            stint.finish();
            // The app writes it at its end.
            List<String> fibers = BenchFolder.lines(stint.place(), "*.fibers");
            return Run.EMPTY
                    .with("us_per_job", seconds * 1e6 / jobs)
                    .with("work_seconds", seconds)
                    .with("threads_started", started)
                    .with("fibers_that_ran_jobs", fibers.stream().mapToLong(Long::parseLong).sum());
        }
    }

    static Figures idle(Bench bench, Ground ground) throws InterruptedException {
        Figures.View view =
                Figures.View.lessIsBetter(
                                new Column("of a core %", "cpu_percent_of_a_core", 2),
                                new Column("reads/s", "redis_reads_per_second", 1),
                                new Column("commands/s", "redis_commands_per_second", 1))
                        .drawing("redis_reads_per_second");
        List<Result> results =
                bench.takeTurns(
                        idleServers(bench, ground),
                        one -> idle(bench, ground, one),
                        view.columns());
        return bench.figures(results).rows(view, Optional.empty());
    }

    private static List<Contestant> idleServers(Bench bench, Ground ground) {
        int queues = bench.number("--queues");
        Contestants all = Contestants.of(ground, "noop.rb");
        List<Contestant> servers = new ArrayList<>();
        for (Contestant one : bench.enter(all, bench.rows(), _ -> 1)) {
            // Without EACH, the thread that counts jobs would wake 40 times per second in each
            // process.
            Contestant quiet = one.with(Contestants.EACH);
            servers.add(quiet.named(one.name() + ", 1 queue"));
            // The first job's queue is one of these queues.
            Contestant many = quiet.withQueues(BenchRedis.queues(queues));
            servers.add(many.named(one.name() + ", " + queues + " queues"));
        }
        return servers;
    }

    private static Run idle(Bench bench, Ground ground, Contestant contestant)
            throws InterruptedException {
        BenchRedis redis = ground.redis();
        try (Stint stint = Stint.start(ground, contestant)) {
            stint.work(1);
            stint.rest(Duration.ofSeconds(bench.number("--rest")));
            long began = System.nanoTime();
            double cpu = stint.cpuSeconds();
            long reads = redis.reads();
            long commands = redis.commands();
            stint.rest(Duration.ofSeconds(bench.number("--seconds")));
            double time = (System.nanoTime() - began) / 1e9;
            double used = stint.cpuSeconds() - cpu;
            // Two commands of our own are between the two readings of each figure.
            double arrived = redis.reads() - reads - 2.0;
            double done = redis.commands() - commands - 2.0;
            stint.finish();
            return Run.EMPTY
                    .with("cpu_percent_of_a_core", used / time * 100)
                    .with("redis_reads_per_second", arrived / time)
                    .with("redis_commands_per_second", done / time);
        }
    }
}
