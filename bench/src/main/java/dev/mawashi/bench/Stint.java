package dev.mawashi.bench;

import dev.mawashi.wire.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// A run of a contestant that begins with empty queues and gets its jobs while it runs.
final class Stint implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Ground ground;
    private final Contestant contestant;
    private final Path place;
    private final Crew crew;

    private Stint(Ground ground, Contestant contestant, Path place, Crew crew) {
        this.ground = ground;
        this.contestant = contestant;
        this.place = place;
        this.crew = crew;
    }

    /// Empties Redis and starts the processes.
    static Stint start(Ground ground, Contestant contestant) {
        ground.redis().clear();
        try {
            Path place = Files.createTempDirectory(ground.folder(), contestant.name() + "-");
            Map<String, String> environment =
                    Map.of("REDIS_URL", ground.redis().url(), "BENCH_TALLY", place.toString());
            Crew crew = Crew.start(contestant, environment, place.resolve("log"));
            return new Stint(ground, contestant, place, crew);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Where the jobs write down what they did.
    Path place() {
        return place;
    }

    /// The process that was started first.
    ProcFile server() {
        return crew.roots().findFirst().orElseThrow();
    }

    /// CPU time of the processes and all that they have started.
    double cpuSeconds() {
        return crew.cpuSeconds();
    }

    /// By the processes that are JVMs, since their start; 0 of a first start, which is to leave a
    /// cache without what the answer loads.
    long allocatedBytes() {
        return crew.isFirstStart() ? 0 : crew.allocatedBytes();
    }

    /// Lets time pass.
    void rest(Duration time) throws InterruptedException {
        crew.await(time);
    }

    /// Waits for something that the jobs do.
    ///
    /// @param what it is, in a few words
    /// @throws BenchFailure when it takes too long, or a process has ended
    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = ground.clock().millis() + PATIENCE.toMillis();
        while (!condition.getAsBoolean()) {
            if (ground.clock().millis() > end) {
                throw new BenchFailure(
                        "%s: waited in vain for %s, last line: %s"
                                .formatted(contestant.name(), what, crew.lastLine()));
            }
            crew.await(LOOK);
        }
    }

    /// Waits until all of our servers say in Redis that they are there, so that each works and can
    /// be asked what it counts.
    ///
    /// @throws BenchFailure as [#await]
    void awaitServers() throws InterruptedException {
        long servers = crew.roots().count();
        await("all servers", () -> ground.redis().servers() >= servers);
    }

    /// Whether it is a server that started without what an earlier start of it has kept.
    boolean isFirstStart() {
        return crew.isFirstStart();
    }

    /// CPU time of what takes one core at most; see [Crew#parts].
    Map<String, Double> parts() {
        return crew.parts();
    }

    /// Ends the processes as an operator would.
    ///
    /// @throws BenchFailure when jobs are left
    void finish() throws InterruptedException {
        finish(List.of());
    }

    /// The same where jobs may be left in these queues, which are emptied.
    ///
    /// @return how many were
    /// @throws BenchFailure when jobs are left elsewhere
    long finish(List<String> queues) throws InterruptedException {
        crew.stop();
        long waiting = 0;
        for (String queue : queues) {
            waiting += ground.redis().drain(Keys.queue(queue));
        }
        String left = ground.redis().leftovers();
        if (!left.isEmpty()) {
            throw new BenchFailure(contestant.name() + " left " + left);
        }
        return waiting;
    }

    @Override
    public void close() {
        crew.close();
    }
}
