package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.DelayProxy;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import java.time.Duration;
import java.util.ArrayList;
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
        footer = {"  mawashi bench rtt", "  mawashi bench rtt --ms 5 --rows jruby-10,sidekiq-2x25"})
final class RttCommand implements Callable<Figures> {
    private static final int MS_MAX = 1_000;
    private static final int PEER_SHARE = 50;
    private static final String RATE = "jobs_per_second_working";
    private static final Figures.View VIEW = RaceView.atWork("jobs_per_second_second_half");

    @Mixin private final Bench bench = new Bench();
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

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        int theirs = bench.share("--peer-jobs", peerJobs, jobs, PEER_SHARE);
        bench.within("--ms", millis, MS_MAX);
        List<Row> chosen = rows.rows(bench, "jruby-10,mri-%dx10,sidekiq-%dx10");
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "noop.rb");
            List<Contestant> entered =
                    bench.enter(all, chosen, row -> row.kind().isOurs() ? jobs : theirs);
            int port = ground.redis().port();
            try (DelayProxy near = DelayProxy.start(port, Duration.ZERO);
                    DelayProxy far = DelayProxy.start(port, Duration.ofMillis(millis))) {
                return measure(ground, entered, near, far);
            }
        });
    }

    private Figures measure(
            Ground ground, List<Contestant> entered, DelayProxy near, DelayProxy far)
            throws InterruptedException {
        List<Contestant> all = new ArrayList<>();
        for (Contestant one : entered) {
            all.add(through(near, ground, one.named(one.name() + ", 0 ms")));
            all.add(through(far, ground, one.named(one.name() + ", " + millis + " ms")));
        }
        List<Result> results = bench.race(ground, Payloads.NOOP, all, VIEW);
        if (!near.isUsed() || !far.isUsed()) {
            throw new BenchFailure("the servers reached Redis by another way than the proxies");
        }
        for (int i = 0; i < results.size(); i += 2) {
            Result with = results.get(i + 1);
            double part = with.median(RATE) / results.get(i).median(RATE);
            bench.note(text("%s: %.2f of what it does without", with.name(), part));
        }
        return bench.figures(ground, results)
                .race(VIEW, Optional.of(new Multiples(results.getFirst(), RATE, RATE)));
    }

    private static Contestant through(DelayProxy proxy, Ground ground, Contestant one) {
        String direct = ":" + ground.redis().port();
        String url = ground.redis().url().replace(direct, ":" + proxy.port());
        return one.with(Map.of("REDIS_URL", url));
    }
}
