package dev.mawashi.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// Runs contestants, one at a time, with a large set of jobs that are not due, and measures how
/// late those begin that become due: first single ones, then many at one instant.
final class ScheduleRace {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration MOVED_LOOK = Duration.ofMillis(2);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long FAR_MILLIS = Duration.ofDays(30).toMillis();

    /// Between filling and the first due time.
    private static final long LEAD_MILLIS = 1_500;

    /// The same before the burst, which takes a while to be put in: so many jobs a millisecond.
    private static final int BURST_FILL_RATE = 25;

    private final BenchRedis redis;
    private final Path folder;
    private final InstantSource clock;
    private final Load load;
    private int runs;

    /// What there is to do.
    ///
    /// @param entries scheduled for much later
    /// @param probes jobs that become due one after the other
    /// @param probeSeconds the time over which they are spread
    /// @param burst jobs due at one instant
    record Load(int entries, int probes, int probeSeconds, int burst) {}

    ScheduleRace(Ground ground, Load load) {
        redis = ground.redis();
        folder = ground.folder();
        clock = ground.clock();
        this.load = load;
    }

    /// @throws BenchFailure when jobs were lost, run twice or early, or not done in time
    ScheduleFigures run(Contestant contestant) throws InterruptedException {
        redis.clear();
        Path place = newFolder(contestant.name());
        Map<String, String> environment =
                Map.of("REDIS_URL", redis.url(), "BENCH_TALLY", place.toString());
        try (ScheduleSet set = new ScheduleSet(redis.connect());
                Crew crew = Crew.start(contestant, environment, place.resolve("log"))) {
            long far = clock.millis() + FAR_MILLIS;
            set.add(load.entries(), i -> new ScheduleSet.Entry(far + i, Payloads.NOOP.payload(i)));
            set.enqueue(Payloads.PROBE.payload(0));
            await("the first job", crew, LOOK, () -> !probes(place).isEmpty());
            List<Double> late = probe(set, crew, place);
            Tally tally = new Tally(place);
            long due = clock.millis() + LEAD_MILLIS + load.burst() / BURST_FILL_RATE;
            double moved = burst(set, crew, due);
            await("the burst", crew, LOOK, () -> tally.read() >= load.burst());
            double ran = (tally.moments().getLast().nanos() - due * 1e6) / 1e9;
            double held = set.slowest().toNanos() / 1e6;
            double script = set.scriptPercentile().toNanos() / 1e6;
            double idle = set.longestIdle().toNanos() / 1e6;
            crew.stop();
            check(contestant, set, tally.read());
            return new ScheduleFigures(late, moved, ran, script, held, idle);
        }
    }

    private Path newFolder(String name) {
        try {
            return Files.createDirectory(folder.resolve(name + "-" + ++runs));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Double> probe(ScheduleSet set, Crew crew, Path place) throws InterruptedException {
        long first = clock.millis() + LEAD_MILLIS;
        double step = load.probeSeconds() * 1_000.0 / load.probes();
        set.add(
                load.probes(),
                i -> {
                    long due = first + Math.round(i * step);
                    return new ScheduleSet.Entry(due, Payloads.PROBE.payload(due));
                });
        await("the probes", crew, LOOK, () -> probes(place).size() > load.probes());
        List<Probe> done = probes(place).stream().filter(one -> one.dueMillis() > 0).toList();
        if (done.size() != load.probes()) {
            throw new BenchFailure("%,d probes ran of %,d".formatted(done.size(), load.probes()));
        }
        if (done.stream().anyMatch(one -> one.lateMillis() < 0)) {
            throw new BenchFailure("a probe began before it was due");
        }
        return done.stream().map(Probe::lateMillis).toList();
    }

    /// @return seconds from `due` until all had left the set
    private double burst(ScheduleSet set, Crew crew, long due) throws InterruptedException {
        int left = load.entries();
        set.add(load.burst(), i -> new ScheduleSet.Entry(due, Payloads.NOOP.payload(left + i)));
        if (clock.millis() > due) {
            throw new BenchFailure("Redis took the burst too slowly: make it smaller");
        }
        set.watchSlow();
        await("the due time", crew, LOOK, () -> clock.millis() >= due);
        await("the burst to be moved", crew, MOVED_LOOK, () -> isMoved(set, left));
        return (clock.millis() - due) / 1_000.0;
    }

    private static boolean isMoved(ScheduleSet set, int left) {
        set.idle();
        return set.size() <= left;
    }

    /// When a probe was due and how late it began.
    private record Probe(long dueMillis, double lateMillis) {
        static Probe of(String line) {
            String[] words = line.split(" ", 2);
            long due = Long.parseLong(words[0]);
            return new Probe(due, Long.parseLong(words[1]) / 1e6 - due);
        }
    }

    private static List<Probe> probes(Path place) {
        List<Probe> probes = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place, "*.probes")) {
            for (Path file : files) {
                String text = Files.readString(file, StandardCharsets.US_ASCII);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .forEach(line -> probes.add(Probe.of(line)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return probes;
    }

    private void await(String what, Crew crew, Duration look, BooleanSupplier condition)
            throws InterruptedException {
        long end = clock.millis() + LIMIT.plusSeconds(load.probeSeconds()).toMillis();
        while (!condition.getAsBoolean()) {
            if (clock.millis() > end) {
                throw new BenchFailure(
                        "waited in vain for " + what + ", last line: " + crew.lastLine());
            }
            crew.await(look);
        }
    }

    private void check(Contestant contestant, ScheduleSet set, long ran) {
        if (ran != load.burst() || set.size() != load.entries()) {
            throw new BenchFailure(
                    "%s ran %,d jobs of %,d due at once, and left %,d of %,d"
                            .formatted(
                                    contestant.name(),
                                    ran,
                                    load.burst(),
                                    set.size(),
                                    load.entries()));
        }
        set.clear();
        String left = redis.leftovers();
        if (!left.isEmpty()) {
            throw new BenchFailure(contestant.name() + " did all jobs and left " + left);
        }
    }
}
