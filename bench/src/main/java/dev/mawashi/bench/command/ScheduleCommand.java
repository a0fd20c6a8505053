package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Spread;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.ScheduleRace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench schedule`.
@Command(
        name = "schedule",
        description = {
            "Jobs that are due at a known time, beside many that are not: how late they begin, and"
                    + " how long many that are due at one instant take to move and hold Redis."
        },
        footer = {
            "  mawashi bench schedule",
            "  mawashi bench schedule --entries 1000000 --burst 100000 --runs 5 --peer sidekiq",
            "  mawashi bench schedule --json > schedule.json",
        })
final class ScheduleCommand implements Callable<Figures> {
    private static final int ENTRIES_MAX = 20_000_000;
    private static final int BURST_MAX = 1_000_000;
    private static final int PROBES_MAX = 100_000;
    private static final int SECONDS_MAX = 3_600;
    private static final Column MOVED = new Column("s until moved", "burst_moved_seconds", 2);
    private static final Column HELD =
            new Column("ms Redis was held at most", "redis_held_ms_max", 2);
    private static final Column P99 = new Column("p99 ms", "late_ms_p99", 1);
    private static final List<Column> LATE =
            List.of(
                    new Column("p50 ms", "late_ms_p50", 1),
                    P99,
                    new Column("latest ms", "late_ms_max", 1));
    private static final List<Column> BURST =
            List.of(
                    MOVED,
                    new Column("s until run", "burst_ran_seconds", 2),
                    new Column("ms a script, p99", "script_ms_p99", 2),
                    HELD,
                    new Column("ms an idle script at most", "idle_script_ms_max", 2));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final PeerOption peer = new PeerOption();

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

    @Option(names = "--threads", paramLabel = "N", description = "Jobs at once in each (10).")
    private int threads = 10;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--entries", entries, ENTRIES_MAX);
        bench.within("--probes", probes, PROBES_MAX);
        bench.within("--seconds", seconds, SECONDS_MAX);
        bench.within("--burst", burst, BURST_MAX);
        bench.within("--threads", threads, Row.THREADS_MAX);
        peer.check();
        return bench.run(ground -> {
            ScheduleRace.Load load = new ScheduleRace.Load(entries, probes, seconds, burst);
            ScheduleRace race = new ScheduleRace(ground, load);
            List<Column> told = List.of(P99, MOVED);
            List<Result> results =
                    bench.takeTurns(contestants(ground), one -> withLate(race.run(one)), told);
            return figures(ground, results);
        });
    }

    private List<Contestant> contestants(Ground ground) {
        Contestants all = Contestants.of(ground, "schedule.rb");
        List<Contestant> contestants = new ArrayList<>();
        contestants.add(all.of(new Row(Row.Kind.JRUBY, 1, threads), burst).named("mawashi"));
        if (peer.isAsked(Row.Kind.SIDEKIQ)) {
            Row sidekiq = new Row(Row.Kind.SIDEKIQ, 1, threads);
            bench.enter(all, List.of(sidekiq), _ -> burst)
                    .forEach(one -> contestants.add(one.named("sidekiq")));
        }
        return contestants;
    }

    private static Run withLate(Run run) {
        List<Double> late = run.list("late_ms");
        return run.with("late_ms_p50", Spread.percentile(late, 50))
                .with("late_ms_p99", Spread.percentile(late, 99))
                .with("late_ms_max", late.getLast());
    }

    private Figures figures(Ground ground, List<Result> results) {
        Result ours = results.getFirst();
        String jobs = text("%,d due at once", burst);
        return bench.figures(ground, results)
                .fact("entries", entries)
                .fact("probes", probes)
                .fact("probe_seconds", seconds)
                .fact("burst", burst)
                .contestants(Map.of())
                .headline(P99.median(ours) + " ms", "late at most, 99 of 100, " + ours.name())
                .part(
                        Part.of("")
                                .with(FigureTable.tall("ms late", LATE, results))
                                .saying(
                                        text(
                                                "%,d jobs scheduled for later; %,d probes due one by one over %d s.",
                                                entries, probes, seconds))
                                .with(
                                        Charts.percentiles(
                                                "How late due jobs begin", "late_ms", results))
                                .hinting(Charts.PERCENTILES))
                .part(
                        Part.of("Due at one instant")
                                .with(FigureTable.tall(jobs, BURST, results))
                                .with(bars("Seconds until all have moved", MOVED, results))
                                .with(bars("Longest ms that Redis was held", HELD, results)));
    }

    private static Chart bars(String title, Column column, List<Result> results) {
        return Charts.bars(title + ", less is better", column, results, Optional.empty());
    }
}
