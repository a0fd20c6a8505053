package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchRedis;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.Stint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench idle`.
@Command(
        name = "idle",
        description = {
            "A server that has nothing to do, with one queue and with many: what of a core it"
                    + " takes, its children included, how often something arrives at Redis, and how"
                    + " many commands Redis does, those inside scripts too."
        },
        footer = {"  mawashi bench idle", "  mawashi bench idle --rows jruby-50 --seconds 60"})
final class IdleCommand implements Callable<Figures> {
    private static final int SECONDS_MAX = 3_600;
    private static final int QUEUES_MAX = 1_000;
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("of a core %", "cpu_percent_of_a_core", 2),
                            new Column("reads/s", "redis_reads_per_second", 1),
                            new Column("commands/s", "redis_commands_per_second", 1)),
                    false,
                    List.of("redis_reads_per_second"));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--seconds", paramLabel = "N", description = "How long it is watched (20).")
    private int seconds = 20;

    @Option(
            names = "--rest",
            paramLabel = "N",
            description =
                    "How many seconds after the first job the watch begins (15): before, a JVM"
                            + " still compiles what the start called.")
    private int rest = 15;

    @Option(names = "--queues", paramLabel = "N", description = "The many queues (100).")
    private int queues = 100;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--seconds", seconds, SECONDS_MAX);
        bench.within("--rest", rest, SECONDS_MAX);
        bench.within("--queues", queues, QUEUES_MAX);
        List<Row> chosen = rows.rows(bench, "jruby-10,mri-%dx10,sidekiq-1x10");
        return bench.run(ground -> {
            List<Contestant> all = new ArrayList<>();
            for (Contestant one : bench.enter(Contestants.of(ground, "noop.rb"), chosen, _ -> 1)) {
                // Without EACH, the thread that counts jobs would wake 40 times a second in each
                // process.
                Contestant quiet = one.with(Contestants.EACH);
                all.add(quiet.named(one.name() + ", 1 queue"));
                // The first job's queue is one of these queues.
                all.add(
                        quiet.withQueues(BenchRedis.queues(queues))
                                .named(one.name() + ", " + queues + " queues"));
            }
            List<Result> results =
                    bench.takeTurns(all, one -> measure(ground, one), VIEW.columns());
            return bench.figures(ground, results).rows(VIEW, Optional.empty());
        });
    }

    private Run measure(Ground ground, Contestant contestant) throws InterruptedException {
        BenchRedis redis = ground.redis();
        try (Stint stint = Stint.start(ground, contestant)) {
            stint.work(1);
            stint.rest(Duration.ofSeconds(rest));
            long began = System.nanoTime();
            double cpu = stint.cpuSeconds();
            long reads = redis.reads();
            long commands = redis.commands();
            stint.rest(Duration.ofSeconds(seconds));
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
