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

/// `mawashi bench schedule`.
final class Schedule {
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
                    new Column("ms per script, p99", "script_ms_p99", 2),
                    HELD,
                    new Column("ms an idle script at most", "idle_script_ms_max", 2));

    private Schedule() {}

    static Figures measure(Bench bench, Ground ground) throws InterruptedException {
        ScheduleRace.Load load =
                new ScheduleRace.Load(
                        bench.number("--entries"),
                        bench.number("--probes"),
                        bench.number("--seconds"),
                        bench.number("--burst"));
        ScheduleRace race = new ScheduleRace(ground, load);
        List<Result> results =
                bench.takeTurns(
                        contestants(bench, ground),
                        one -> withLate(race.run(one)),
                        List.of(P99, MOVED));
        return fill(bench.figures(results), load, results);
    }

    private static List<Contestant> contestants(Bench bench, Ground ground) {
        int threads = bench.number("--threads");
        int burst = bench.number("--burst");
        Contestants all = Contestants.of(ground, "schedule.rb");
        List<Contestant> contestants = new ArrayList<>();
        contestants.add(all.of(new Row(Row.Kind.JRUBY, 1, threads), burst).named("mawashi"));
        if (bench.peers().isAsked(Row.Kind.SIDEKIQ)) {
            bench.enter(all, new Row(Row.Kind.SIDEKIQ, 1, threads), burst)
                    .map(one -> one.named("sidekiq"))
                    .ifPresent(contestants::add);
        }
        return contestants;
    }

    private static Run withLate(Run run) {
        List<Double> late = run.list("late_ms");
        return run.with("late_ms_p50", Spread.percentile(late, 50))
                .with("late_ms_p99", Spread.percentile(late, 99))
                .with("late_ms_max", late.getLast());
    }

    private static Figures fill(Figures figures, ScheduleRace.Load load, List<Result> results) {
        Result ours = results.getFirst();
        String scheduled =
                text(
                        "%,d jobs scheduled for later; %,d probes due one by one over %d s.",
                        load.entries(), load.probes(), load.probeSeconds());
        return figures.fact("entries", load.entries())
                .fact("probes", load.probes())
                .fact("probe_seconds", load.probeSeconds())
                .fact("burst", load.burst())
                .contestants(Map.of())
                .headline(P99.median(ours) + " ms", "late at most, 99 of 100, " + ours.name())
                .part(
                        Part.of("")
                                .with(FigureTable.tall("ms late", LATE, results))
                                .saying(scheduled)
                                .with(
                                        Charts.percentiles(
                                                "How late due jobs begin", "late_ms", results))
                                .hinting(Charts.PERCENTILES))
                .part(
                        Part.of("Due at one instant")
                                .with(
                                        FigureTable.tall(
                                                text("%,d due at once", load.burst()),
                                                BURST,
                                                results))
                                .with(bars("Seconds until all have moved", MOVED, results))
                                .with(bars("Longest ms that Redis was held", HELD, results)));
    }

    private static Chart bars(String title, Column column, List<Result> results) {
        return Charts.bars(title + ", less is better", column, results);
    }
}
