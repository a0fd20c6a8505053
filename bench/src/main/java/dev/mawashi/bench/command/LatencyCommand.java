package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Spread;
import dev.mawashi.bench.rig.BeginLine;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.Stint;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
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
        footer = {
            "  mawashi bench latency --probes 1000",
            "  mawashi bench latency --rows jruby-50,sidekiq-1x25",
        })
final class LatencyCommand implements Callable<Figures> {
    private static final int PROBES_MAX = 100_000;

    /// Jobs that are not counted: they show a server just after its start.
    private static final int WARM_UP = 50;

    /// The pause between two jobs. It varies a little, so that nothing periodic falls in step with
    /// them.
    private static final int REST_MS = 15;

    private static final int RESTS = 20;
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("p50 ms", "p50_ms", 3),
                            new Column("p99 ms", "p99_ms", 3),
                            new Column("longest ms", "max_ms", 3)),
                    false,
                    List.of("p99_ms"));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--probes", paramLabel = "N", description = "Jobs a run (500).")
    private int probes = 500;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--probes", probes, PROBES_MAX);
        List<Row> chosen = rows.rows(bench, "jruby-10,mri-%dx10,sidekiq-1x5");
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "schedule.rb");
            List<Contestant> entered = bench.enter(all, chosen, _ -> probes);
            List<Result> results =
                    bench.takeTurns(entered, one -> measure(ground, one), VIEW.columns());
            return bench.figures(ground, results)
                    .rows(
                            VIEW,
                            RaceView.withFirst(results, RaceView::isSidekiq, "p50_ms"),
                            List.of(
                                    Charts.percentiles(
                                            "From push to perform", "began_ms", results)),
                            Charts.PERCENTILES);
        });
    }

    private static Run measure(Ground ground, Contestant contestant) throws InterruptedException {
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
}
