package dev.mawashi.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// Runs contestants, one at a time, each with a full queue and a fresh folder for its counts.
///
/// A run ends when the jobs themselves have counted to the number enqueued. It counts only if
/// afterwards, with the processes gone, each job was either done or is still queued, and nothing is
/// anywhere else.
final class Race {
    private static final Duration LOOK = Duration.ofMillis(25);
    private static final Duration LIMIT_FIXED = Duration.ofSeconds(90);
    private static final int RATE_MIN = 100;

    /// A server's first start only leaves a trace, and the second makes the cache of the third.
    private static final int FIRST_STARTS = 2;

    private final BenchRedis redis;
    private final Path folder;
    private final InstantSource clock;
    private final Payloads payloads;
    private int runs;
    private boolean isFirstStart;

    /// @param payloads what there is to do
    Race(Ground ground, Payloads payloads) {
        redis = ground.redis();
        folder = ground.folder();
        clock = ground.clock();
        this.payloads = payloads;
    }

    /// A run of a server of ours that started without the cache of an earlier start is not counted,
    /// and another one takes its place, twice at most.
    ///
    /// @throws BenchFailure when jobs were lost, run twice, or not done in time
    Figures run(Contestant contestant) throws InterruptedException {
        return run(contestant, contestant.jobs());
    }

    /// The same with more jobs in the queue than are waited for.
    ///
    /// @param queued at least those of the contestant, with those that they enqueue
    Figures run(Contestant contestant, int queued) throws InterruptedException {
        Figures figures = once(contestant, queued);
        for (int again = 0; isFirstStart && again < FIRST_STARTS; again++) {
            figures = once(contestant, queued);
        }
        return figures;
    }

    private Figures once(Contestant contestant, int queued) throws InterruptedException {
        redis.fill(queued / payloads.jobs(), payloads, contestant.intake());
        Path place = newFolder(contestant.name());
        Tally tally = new Tally(place);
        Map<String, String> environment =
                Map.of("REDIS_URL", redis.url(), "BENCH_TALLY", place.toString());
        double redisBefore = redis.cpuSeconds();
        long started = nanos(clock.instant());
        try (CoreWatch cores = CoreWatch.start();
                Crew crew = Crew.start(contestant, environment, place.resolve("log"))) {
            awaitEnd(contestant, crew, tally);
            isFirstStart = crew.isFirstStart();
            Figures.Usage usage =
                    new Figures.Usage(
                            crew.cpuSeconds(),
                            redis.cpuSeconds() - redisBefore,
                            crew.peakBytes(),
                            isFirstStart ? 0 : crew.allocatedBytes(),
                            crew.memory(),
                            cores.stop());
            crew.stop();
            check(contestant, queued, tally);
            return Figures.of(contestant.jobs(), started, tally, usage);
        }
    }

    private Path newFolder(String name) {
        try {
            return Files.createDirectory(folder.resolve(name + "-" + ++runs));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitEnd(Contestant contestant, Crew crew, Tally tally)
            throws InterruptedException {
        Duration limit = LIMIT_FIXED.plusSeconds(contestant.jobs() / RATE_MIN);
        Instant end = clock.instant().plus(limit);
        long done = tally.read();
        while (done < contestant.jobs()) {
            if (clock.instant().isAfter(end)) {
                throw new BenchFailure(
                        "%s did only %,d of %,d jobs in %d s: %s"
                                .formatted(
                                        contestant.name(),
                                        done,
                                        contestant.jobs(),
                                        limit.toSeconds(),
                                        crew.lastLine()));
            }
            crew.await(LOOK);
            done = tally.read();
        }
    }

    private void check(Contestant contestant, int queued, Tally tally) {
        long waiting = redis.drain(contestant.intake());
        long done = tally.read();
        if (done < contestant.jobs() || done + waiting != queued) {
            throw new BenchFailure(
                    "%s ran %,d jobs of %,d and left %,d"
                            .formatted(contestant.name(), done, queued, waiting));
        }
        List<String> left = redis.leftovers().lines().toList();
        if (!left.isEmpty()) {
            throw new BenchFailure(contestant.name() + " did its jobs and left " + left.getFirst());
        }
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }
}
