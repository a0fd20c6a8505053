package dev.mawashi.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench rtt`.
@Command(
        name = "rtt",
        description = {
            "No-op jobs from a Redis that is some way off: all bytes go through a proxy that"
                    + " delivers them at once, or a millisecond later in each direction."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench rtt", "  mawashi bench rtt --ms 5 --rows jruby-10,sidekiq-2x25"})
final class RttCommand implements Callable<Integer> {
    private static final int MS_MAX = 1_000;
    private static final int PEER_SHARE = 50;

    private static final List<Column<Figures>> COLUMNS =
            List.of(
                    new Column<>("jobs/s at work", "jobs_per_second_working", 0, Figures::workRate),
                    new Column<>("2nd half", "jobs_per_second_second_half", 0, Figures::lateRate),
                    new Column<>("start s", "start_seconds", 2, Figures::startSeconds),
                    new Column<>("CPU us/job", "cpu_us_per_job", 1, Figures::cpuMicrosPerJob),
                    RaceTable.allocated());

    @Mixin private final Bench bench;
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (500000).")
    private int jobs = 500_000;

    @Option(
            names = "--peer-jobs",
            paramLabel = "N",
            description = "Jobs a run of Sidekiq (a fiftieth of --jobs: its rate is flat).")
    private @Nullable Integer peerJobs;

    @Option(names = "--ms", paramLabel = "N", description = "The delay each way (1).")
    private int millis = 1;

    RttCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        int theirs = peerJobs == null ? Math.max(1, jobs / PEER_SHARE) : peerJobs;
        bench.within("--peer-jobs", theirs, Bench.JOBS_MAX);
        bench.within("--ms", millis, MS_MAX);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        for (Row row : rows.rows(bench, defaults())) {
            jobsByRow.put(row, row.kind().isOurs() ? jobs : theirs);
        }
        return bench.run(ground -> {
            int port = ground.redis().port();
            try (DelayProxy near = DelayProxy.start(port, Duration.ZERO);
                    DelayProxy far = DelayProxy.start(port, Duration.ofMillis(millis))) {
                return measure(ground, jobsByRow, near, far);
            }
        });
    }

    private Report measure(
            Ground ground, Map<Row, Integer> jobsByRow, DelayProxy near, DelayProxy far)
            throws InterruptedException {
        List<Contestant> all = new ArrayList<>();
        for (Contestant one : bench.enter(new Contestants(ground, "noop.rb"), jobsByRow)) {
            all.add(through(near, ground, one.named(one.name() + ", 0 ms")));
            all.add(through(far, ground, one.named(one.name() + ", " + millis + " ms")));
        }
        if (all.isEmpty()) {
            throw new BenchFailure("nothing is left to measure");
        }
        Race race = new Race(ground, Payloads.NOOP);
        Map<Contestant, List<Figures>> runs = bench.takeTurns(all, race::run, Figures::summary);
        if (!near.isUsed() || !far.isUsed()) {
            throw new BenchFailure("the servers reached Redis by another way than the proxies");
        }
        for (int i = 0; i < all.size(); i += 2) {
            List<Figures> without = runs.getOrDefault(all.get(i), List.of());
            List<Figures> with = runs.getOrDefault(all.get(i + 1), List.of());
            double part =
                    Spread.of(with, Figures::workRate).median()
                            / Spread.of(without, Figures::workRate).median();
            bench.note("%s: %.2f of what it does without".formatted(all.get(i + 1).name(), part));
        }
        return new TableReport<>(
                "rtt",
                ground.redis().description(),
                COLUMNS,
                runs,
                Optional.of(new Comparison<>(all.getFirst(), Figures::workRate, Figures::workRate)),
                View.race(true, List.of("jobs_per_second_second_half")),
                bench.notes());
    }

    private static Contestant through(DelayProxy proxy, Ground ground, Contestant one) {
        String direct = ":" + ground.redis().port();
        String url = ground.redis().url().replace(direct, ":" + proxy.port());
        return one.with(Map.of("REDIS_URL", url));
    }

    private static List<String> defaults() {
        int cores = Machine.coresHere();
        return List.of("jruby-10", "mri-" + cores + "x10", "sidekiq-" + cores + "x10");
    }
}
