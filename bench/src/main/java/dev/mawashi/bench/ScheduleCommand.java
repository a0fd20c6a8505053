package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench schedule",
            "  mawashi bench schedule --entries 1000000 --burst 100000 --runs 5 --peer sidekiq",
            "  mawashi bench schedule --json > schedule.json",
        })
final class ScheduleCommand implements Callable<Integer> {
    private static final int ENTRIES_MAX = 20_000_000;
    private static final int BURST_MAX = 1_000_000;
    private static final int PROBES_MAX = 100_000;
    private static final int SECONDS_MAX = 3_600;

    @Mixin private final Bench bench;
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

    ScheduleCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--entries", entries, ENTRIES_MAX);
        bench.within("--probes", probes, PROBES_MAX);
        bench.within("--seconds", seconds, SECONDS_MAX);
        bench.within("--burst", burst, BURST_MAX);
        bench.within("--threads", threads, Bench.THREADS_MAX);
        peer.check();
        return bench.run(this::measure);
    }

    private ScheduleReport measure(Ground ground) throws InterruptedException {
        ScheduleRace.Load load = new ScheduleRace.Load(entries, probes, seconds, burst);
        ScheduleRace race = new ScheduleRace(ground, load);
        Map<Contestant, List<ScheduleFigures>> figures =
                bench.takeTurns(contestants(ground), race::run, this::told);
        return new ScheduleReport(
                Machine.here(), ground.redis().description(), load, figures, bench.notes());
    }

    private List<Contestant> contestants(Ground ground) {
        Contestants all = new Contestants(ground, "schedule.rb");
        List<Contestant> contestants = new ArrayList<>();
        contestants.add(all.of(new Row(Row.Kind.JRUBY, 1, threads), burst).named("mawashi"));
        if (peer.isAsked(Row.Kind.SIDEKIQ)) {
            Row sidekiq = new Row(Row.Kind.SIDEKIQ, 1, threads);
            bench.enter(all, Map.of(sidekiq, burst)).stream()
                    .map(one -> one.named("sidekiq"))
                    .forEach(contestants::add);
        }
        return contestants;
    }

    private String told(ScheduleFigures run) {
        return String.format(
                Locale.ROOT,
                "p99 %.1f ms late, %,d moved in %.2f s",
                run.percentile(99),
                burst,
                run.movedSeconds());
    }
}
