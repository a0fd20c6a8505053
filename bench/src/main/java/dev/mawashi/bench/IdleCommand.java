package dev.mawashi.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench idle`.
@Command(
        name = "idle",
        description = {
            "A server that has nothing to do, with one queue and with many: what of a core it takes,"
                    + " its children included, how often something arrives at Redis, and how many"
                    + " commands Redis does, those inside scripts too."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench idle", "  mawashi bench idle --rows jruby-50 --seconds 60"})
final class IdleCommand implements Callable<Integer> {
    private static final int SECONDS_MAX = 3_600;
    private static final int REST_MAX = 3_600;
    private static final int QUEUES_MAX = 1_000;

    private static final List<Column<Idle>> COLUMNS =
            List.of(
                    new Column<>("of a core %", "cpu_percent_of_a_core", 2, Idle::percent),
                    new Column<>("reads/s", "redis_reads_per_second", 1, Idle::reads),
                    new Column<>("commands/s", "redis_commands_per_second", 1, Idle::commands));

    @Mixin private final Bench bench;
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

    /// What one run came to.
    ///
    /// @param percent of one core
    /// @param reads by Redis, a second: what was sent together is one
    /// @param commands that Redis did, a second, those inside scripts too
    private record Idle(double percent, double reads, double commands) {
        String summary() {
            return String.format(
                    Locale.ROOT,
                    "%.2f %% of a core, %.1f reads/s, %.1f commands/s",
                    percent,
                    reads,
                    commands);
        }
    }

    IdleCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--seconds", seconds, SECONDS_MAX);
        bench.within("--rest", rest, REST_MAX);
        bench.within("--queues", queues, QUEUES_MAX);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        rows.rows(bench, defaults()).forEach(row -> jobsByRow.put(row, 1));
        return bench.run(ground -> {
            List<Contestant> all = new ArrayList<>();
            for (Contestant one : bench.enter(new Contestants(ground, "noop.rb"), jobsByRow)) {
                // Or the thread that counts jobs would wake 40 times a second in each process.
                Contestant quiet = one.with(Contestants.EACH);
                all.add(quiet.named(one.name() + ", 1 queue"));
                all.add(withQueues(quiet));
            }
            Map<Contestant, List<Idle>> runs =
                    bench.takeTurns(all, one -> measure(ground, one), Idle::summary);
            return new TableReport<>(
                    "idle",
                    ground.redis().description(),
                    COLUMNS,
                    runs,
                    Optional.empty(),
                    View.bars(false, List.of("redis_reads_per_second")),
                    bench.notes());
        });
    }

    /// The queue of the first job is one of them.
    private Contestant withQueues(Contestant one) {
        return one.withQueues(BenchRedis.queues(queues))
                .named(one.name() + ", " + queues + " queues");
    }

    private Idle measure(Ground ground, Contestant contestant) throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant)) {
            Tally tally = new Tally(stint.place());
            ground.redis().enqueue(1, Payloads.NOOP, Intake.SIDEKIQ);
            stint.await("the first job", () -> tally.read() == 1);
            stint.rest(Duration.ofSeconds(rest));
            long began = System.nanoTime();
            double cpu = stint.cpuSeconds();
            long reads = ground.redis().reads();
            long commands = ground.redis().commands();
            stint.rest(Duration.ofSeconds(seconds));
            double time = (System.nanoTime() - began) / 1e9;
            double used = stint.cpuSeconds() - cpu;
            // Between the two looks at each figure are two commands of our own.
            double arrived = ground.redis().reads() - reads - 2.0;
            double done = ground.redis().commands() - commands - 2.0;
            stint.finish();
            return new Idle(used / time * 100, arrived / time, done / time);
        }
    }

    private static List<String> defaults() {
        return List.of("jruby-10", "mri-" + Machine.coresHere() + "x10", "sidekiq-1x10");
    }
}
