package dev.mawashi.bench;

import dev.mawashi.redis.RedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench latency`.
@Command(
        name = "latency",
        description = {
            "From the push of a job to an idle server until its perform begins, one job after the"
                    + " other."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench latency --probes 1000",
            "  mawashi bench latency --rows jruby-50,sidekiq-1x25",
        })
final class LatencyCommand implements Callable<Integer> {
    private static final int PROBES_MAX = 100_000;

    /// Not counted: what a server is like once, after its start.
    private static final int WARM_UP = 50;

    /// Between two jobs, by turns a little longer, so that nothing beats in time with them.
    private static final int REST_MS = 15;

    private static final int RESTS = 20;

    private static final List<Column<Late>> COLUMNS =
            List.of(
                    new Column<>("p50 ms", "p50_ms", 3, run -> run.percentile(50)),
                    new Column<>("p99 ms", "p99_ms", 3, run -> run.percentile(99)),
                    new Column<>("longest ms", "max_ms", 3, run -> run.percentile(100)));

    @Mixin private final Bench bench;
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--probes", paramLabel = "N", description = "Jobs a run (500).")
    private int probes = 500;

    /// What one run came to: how long each job took to begin.
    ///
    /// @param millis sorted
    private record Late(List<Double> millis) {
        double percentile(int percent) {
            return Spread.percentile(millis, percent);
        }

        String summary() {
            return String.format(
                    Locale.ROOT, "p50 %.3f ms, p99 %.3f ms", percentile(50), percentile(99));
        }
    }

    LatencyCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--probes", probes, PROBES_MAX);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        rows.rows(bench, defaults()).forEach(row -> jobsByRow.put(row, probes));
        return bench.run(ground -> {
            List<Contestant> all = bench.enter(new Contestants(ground, "schedule.rb"), jobsByRow);
            Map<Contestant, List<Late>> runs =
                    bench.takeTurns(all, one -> measure(ground, one), Late::summary);
            Optional<Comparison<Late>> comparison =
                    all.stream()
                            .filter(one -> one.name().startsWith("sidekiq-"))
                            .findFirst()
                            .map(one ->
                                    new Comparison<>(
                                            one, LatencyCommand::half, LatencyCommand::half));
            return new TableReport<>(
                    "latency",
                    ground.redis().description(),
                    COLUMNS,
                    runs,
                    comparison,
                    View.percentiles(
                            List.of("p99_ms"), "From push to perform", "began_ms", Late::millis),
                    bench.notes());
        });
    }

    private static double half(Late run) {
        return run.percentile(50);
    }

    private static Late measure(Ground ground, Contestant contestant) throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant);
                RedisConnection connection = ground.redis().connect()) {
            for (int done = 0; done < WARM_UP + contestant.jobs(); done++) {
                Instant now = ground.clock().instant();
                long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
                connection.call(
                        RedisConnection.ascii(contestant.intake().push()),
                        RedisConnection.ascii(contestant.intake().queue()),
                        Payloads.PROBE.payload(nanos, contestant.intake()));
                int expected = done + 1;
                stint.await("a job", () -> Probes.in(stint.place()).size() >= expected);
                stint.rest(Duration.ofMillis(REST_MS + done % RESTS));
            }
            stint.finish();
            List<Double> millis =
                    Probes.in(stint.place()).stream()
                            .sorted((one, other) -> Long.compare(one.argument(), other.argument()))
                            .skip(WARM_UP)
                            .map(one -> (one.beganNanos() - one.argument()) / 1e6)
                            .sorted()
                            .toList();
            if (millis.size() != contestant.jobs()) {
                throw new BenchFailure(contestant.name() + " ran jobs twice");
            }
            return new Late(millis);
        }
    }

    private static List<String> defaults() {
        return List.of("jruby-10", "mri-" + Machine.coresHere() + "x10", "sidekiq-1x5");
    }
}
