package dev.mawashi.bench.rig;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Runs contestants, one at a time, each with a full queue and a fresh folder for its counts.
///
/// A run ends when the jobs themselves have counted to the number enqueued. It counts only if
/// afterwards, with the processes gone, each job was either done or is still queued, and nothing is
/// anywhere else.
public final class Race {
    private static final Duration LOOK = Duration.ofMillis(25);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int RATE_MIN = 100;
    private static final double MIB = 1 << 20;

    private final Ground ground;
    private final Payloads payloads;

    /// @param payloads the jobs
    public Race(Ground ground, Payloads payloads) {
        this.ground = ground;
        this.payloads = payloads;
    }

    /// One run, with the fields that bench/README.md names.
    ///
    /// @throws BenchFailure when jobs were lost, run twice, or not done in time
    public Run run(Contestant contestant) throws InterruptedException {
        return run(contestant, contestant.jobs());
    }

    /// The same with more jobs in the queue than are waited for.
    ///
    /// @param queued at least those of the contestant, with those that they enqueue
    public Run run(Contestant contestant, int queued) throws InterruptedException {
        ground.redis().fill(queued / payloads.jobs(), payloads, contestant.intake());
        return runAsItIs(contestant, queued);
    }

    /// The same with the jobs that Redis holds.
    Run runAsItIs(Contestant contestant, int queued) throws InterruptedException {
        double redisBefore = ground.redis().cpuSeconds();
        long started = ground.nanos();
        try (CoreWatch cores = CoreWatch.start();
                Stint stint = Stint.startAsItIs(ground, contestant)) {
            awaitEnd(contestant, stint);
            double redisSeconds = ground.redis().cpuSeconds() - redisBefore;
            Run usage = usage(stint.crew(), redisSeconds, contestant.jobs());
            Run load = cores.stop();
            stint.finish(List.of(contestant.intake().queue), queued);
            return Course.of(contestant.jobs(), started, stint.tally()).with(usage).with(load);
        }
    }

    private static void awaitEnd(Contestant contestant, Stint stint) throws InterruptedException {
        int jobs = contestant.jobs();
        Duration patience = PATIENCE.plusSeconds(jobs / RATE_MIN);
        stint.await(
                String.format(Locale.ROOT, "%,d jobs", jobs),
                LOOK,
                patience,
                () -> stint.tally().read() >= jobs);
    }

    /// What the processes have used by the end of the last job. Shared pages count once, by
    /// proportional sets (PSS).
    static Run usage(ContestantProcesses crew, double redisSeconds, int jobs) {
        double seconds = crew.cpuSeconds();
        long peak = crew.peakBytes();
        long allocated = crew.allocatedBytes();
        return Run.EMPTY
                .with("cpu_seconds", seconds)
                .with("cpu_us_per_job", seconds * 1e6 / jobs)
                .with("redis_cpu_seconds", redisSeconds)
                .with("redis_us_per_job", redisSeconds * 1e6 / jobs)
                .with("peak_bytes", peak)
                .with("peak_megabytes", peak / MIB)
                .with("allocated_bytes", allocated)
                .with("allocated_megabytes", allocated / MIB)
                .with("ruby_pss_megabytes", crew.rubyBytes() / MIB)
                .with("all_pss_megabytes", crew.proportionalBytes() / MIB)
                .with("server_rss_megabytes", resident(crew) / MIB);
    }

    private static double resident(ContestantProcesses crew) {
        return crew.roots().mapToDouble(ProcFile::residentBytes).sum();
    }
}
