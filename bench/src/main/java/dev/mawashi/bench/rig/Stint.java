package dev.mawashi.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// One run of a contestant: its processes, and a folder for what its jobs write down.
public final class Stint implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final double MIB = 1 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Ground ground;
    private final Contestant contestant;
    private final Path place;
    private final ContestantProcesses crew;
    private final Tally tally;
    private int enqueued;

    private Stint(Ground ground, Contestant contestant, Path place, ContestantProcesses crew) {
        this.ground = ground;
        this.contestant = contestant;
        this.place = place;
        this.crew = crew;
        tally = new Tally(place);
    }

    /// Empties Redis and starts the processes.
    public static Stint start(Ground ground, Contestant contestant) {
        ground.redis().clear();
        return startAsItIs(ground, contestant);
    }

    /// Starts the processes with what Redis holds.
    static Stint startAsItIs(Ground ground, Contestant contestant) {
        try {
            Path place = Files.createTempDirectory(ground.folder(), contestant.name() + "-");
            Map<String, String> environment =
                    Map.of("REDIS_URL", ground.redis().url(), "BENCH_TALLY", place.toString());
            ContestantProcesses crew =
                    ContestantProcesses.start(contestant, environment, place.resolve("log"));
            return new Stint(ground, contestant, place, crew);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The folder where the jobs write down what they did.
    public Path place() {
        return place;
    }

    /// What the jobs have counted.
    public Tally tally() {
        return tally;
    }

    /// The process that was started first.
    public ProcFile server() {
        return crew.roots().findFirst().orElseThrow();
    }

    /// The processes.
    ContestantProcesses crew() {
        return crew;
    }

    /// CPU time of the processes and all that they have started.
    public double cpuSeconds() {
        return crew.cpuSeconds();
    }

    /// Lets time pass.
    public void rest(Duration time) throws InterruptedException {
        crew.await(time);
    }

    /// Enqueues no-op jobs, and waits until all are done.
    public void work(int jobs) throws InterruptedException {
        enqueue(jobs);
        await(jobs + " jobs", this::isDone);
    }

    /// Enqueues no-op jobs.
    public void enqueue(int jobs) {
        ground.redis().enqueue(jobs, Payloads.NOOP, JobSource.SIDEKIQ);
        enqueued += jobs;
    }

    /// Whether all jobs that were enqueued here are done.
    public boolean isDone() {
        return tally.read() >= enqueued;
    }

    /// Memory of the processes that hold the app in MRI. Shared pages count once, by proportional
    /// sets (PSS).
    public double rubyMegabytes() {
        return crew.rubyBytes() / MIB;
    }

    /// Waits for something that the jobs do.
    ///
    /// @param what it is, in a few words
    /// @throws BenchFailure when it takes too long, or a process has ended
    public void await(String what, BooleanSupplier condition) throws InterruptedException {
        await(what, LOOK, PATIENCE, condition);
    }

    /// The same with other times.
    ///
    /// @param look between two checks of the condition
    /// @param patience how long to wait at most
    void await(String what, Duration look, Duration patience, BooleanSupplier condition)
            throws InterruptedException {
        long end = ground.clock().millis() + patience.toMillis();
        while (!condition.getAsBoolean()) {
            if (ground.clock().millis() > end) {
                throw new BenchFailure(
                        "%s: waited in vain for %s, last line: %s"
                                .formatted(contestant.name(), what, crew.lastLine()));
            }
            crew.await(look);
        }
    }

    /// Waits until all of our servers are in Redis's set of processes. Then each works and can be
    /// asked for its counts.
    ///
    /// @throws BenchFailure as [#await]
    public void awaitServers() throws InterruptedException {
        long servers = crew.roots().count();
        await("all servers", () -> ground.redis().servers() >= servers);
    }

    /// Ends the processes as an operator would.
    ///
    /// @throws BenchFailure when jobs are left
    public void finish() throws InterruptedException {
        finish(List.of(), 0);
    }

    /// The same where jobs may be left in some queues, which are emptied.
    ///
    /// @param queues their lists
    /// @param expected how many jobs must be done or be left in them
    /// @throws BenchFailure when a job is missing, ran twice or is left elsewhere
    void finish(List<String> queues, long expected) throws InterruptedException {
        crew.stop();
        long waiting = queues.stream().mapToLong(ground.redis()::drain).sum();
        long done = tally.read();
        if (!queues.isEmpty() && done + waiting != expected) {
            throw new BenchFailure(
                    String.format(
                            Locale.ROOT,
                            "%s ran %,d jobs of %,d and left %,d",
                            contestant.name(),
                            done,
                            expected,
                            waiting));
        }
        String left = ground.redis().leftovers();
        if (!left.isEmpty()) {
            throw new BenchFailure(contestant.name() + " left " + left);
        }
    }

    @Override
    public void close() {
        crew.close();
    }
}
