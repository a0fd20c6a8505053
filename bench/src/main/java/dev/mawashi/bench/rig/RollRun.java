package dev.mawashi.bench.rig;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.wire.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// Servers under load that get new code again and again by `mawashi restart --all`; one release
/// does not boot. Jobs take from 1 ms to minutes.
public final class RollRun {
    /// Seconds of each of the windows in which ends are counted.
    public static final int WINDOW = 5;

    /// The release that does not boot.
    public static final int BROKEN = 4;

    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration BOOT_PATIENCE = Duration.ofMinutes(2);
    private static final double NANOS = 1e9;

    private final Ground ground;
    private final Contestant contestant;
    private final Plan plan;
    private final Path place;
    private final ContestantProcesses crew;
    private final Tally tally;
    private final List<Double> restarts = new ArrayList<>();
    private final long begin;
    private int release = 1;
    private int refused;
    private long enqueued;

    /// The course of a run.
    ///
    /// @param seconds of load
    /// @param changes of the code, spread evenly over these; the third is the one that is broken
    /// @param perSecond jobs
    /// @param longest seconds of a job, 5 at least
    public record Plan(int seconds, int changes, double perSecond, int longest) {}

    private RollRun(Ground ground, Contestant contestant, Plan plan, Path place)
            throws InterruptedException {
        this.ground = ground;
        this.contestant = contestant;
        this.plan = plan;
        this.place = place;
        tally = new Tally(place);
        release(app(ground), release);
        Map<String, String> environment =
                Map.of("REDIS_URL", ground.redis().url(), "BENCH_TALLY", place.toString());
        crew = ContestantProcesses.start(contestant, environment, place.resolve("log"));
        awaitServers();
        begin = ground.nanos();
    }

    /// The app's file, in a folder that is a link to the newest release, as deploys have it.
    public static Path app(Ground ground) {
        return ground.folder().resolve("current/app.rb");
    }

    /// Mean seconds of a job.
    ///
    /// @param longest seconds of one
    public static double meanSeconds(int longest) {
        return Payloads.rollingSeconds(longest);
    }

    /// Runs it to its end.
    ///
    /// @return counts, and the rates of each window of [#WINDOW] seconds
    /// @throws BenchFailure when a job is lost, runs twice or ends on other code than it began on,
    ///   or when a restart ends otherwise than it should
    public static Run take(Ground ground, Contestant contestant, Plan plan)
            throws InterruptedException {
        try {
            ground.redis().clear();
            Path place = Files.createTempDirectory(ground.folder(), contestant.name() + "-");
            RollRun run = new RollRun(ground, contestant, plan, place);
            try {
                return run.roll();
            } finally {
                run.crew.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Run roll() throws InterruptedException {
        Process restart = null;
        double step = (double) plan.seconds() / (plan.changes() + 1);
        while (seconds() < plan.seconds() || restart != null) {
            enqueue((long) (Math.min(seconds(), plan.seconds()) * plan.perSecond()));
            if (restart != null && !restart.isAlive()) {
                judge(restart.exitValue());
                restart = null;
            }
            if (restart == null
                    && restarts.size() < plan.changes()
                    && seconds() >= step * (restarts.size() + 1)) {
                restart = change();
            }
            pause();
        }
        enqueue((long) (plan.seconds() * plan.perSecond()));
        Duration patience = Duration.ofSeconds(plan.longest() + 60L);
        long since = System.nanoTime();
        while (tally.read() < enqueued && System.nanoTime() - since < patience.toNanos()) {
            pause();
        }
        crew.stop();
        return figures();
    }

    private double seconds() {
        return (ground.nanos() - begin) / NANOS;
    }

    private void awaitServers() throws InterruptedException {
        long since = System.nanoTime();
        while (ground.redis().servers() < contestant.processes()) {
            crew.await(STEP);
            if (System.nanoTime() - since > BOOT_PATIENCE.toNanos()) {
                throw new BenchFailure("the servers do not start: " + crew.lastLine());
            }
        }
    }

    private void enqueue(long upTo) {
        List<byte[]> list = List.of(ascii("LPUSH"), ascii(JobSource.SIDEKIQ.queue));
        ground.redis().call("SADD", Keys.QUEUES, BenchRedis.QUEUE);
        Payloads payloads = Payloads.rolling(plan.longest());
        ground.redis()
                .push(
                        list,
                        enqueued,
                        (int) (upTo - enqueued),
                        number -> List.of(payloads.payload(number, JobSource.SIDEKIQ)));
        enqueued = Math.max(enqueued, upTo);
    }

    /// Puts the next release in place, and begins to restart all servers.
    private Process change() {
        release++;
        restarts.add(seconds());
        release(app(ground), release);
        List<String> words = new ArrayList<>(ground.launcher());
        words.addAll(List.of("restart", "--all"));
        return crew.beside(words);
    }

    private void judge(int status) {
        boolean isBroken = release == BROKEN;
        if (isBroken == (status == 0)) {
            throw new BenchFailure(
                    "mawashi restart --all ended with %s on release %s: %s"
                            .formatted(status, release, crew.lastLine()));
        }
        refused += isBroken ? 1 : 0;
    }

    private static void release(Path app, int number) {
        Path link = Objects.requireNonNull(app.getParent());
        Path folder = link.resolveSibling("release-" + number);
        String broken = number == BROKEN ? "raise \"release %d does not boot\"%n" : "";
        BenchFolder.write(
                folder.resolve(app.getFileName()),
                "RELEASE = %s%n%srequire \"%s\"%n"
                        .formatted(number, broken.formatted(number), Checkout.app("roll.rb")));
        Path next = link.resolveSibling("next");
        try {
            Files.createSymbolicLink(next, folder);
            Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Run figures() {
        Ledger ledger = Ledger.read(place);
        if (ledger.ended() != enqueued || ledger.repeated() > 0 || ledger.changed() > 0) {
            throw new BenchFailure(
                    String.format(
                            Locale.ROOT,
                            "%s: of %,d jobs %,d ended, %,d began twice, %,d ended on other code",
                            contestant.name(),
                            enqueued,
                            ledger.ended(),
                            ledger.repeated(),
                            ledger.changed()));
        }
        List<Double> rates = ledger.rates(begin, WINDOW, plan.seconds() / WINDOW);
        List<Double> sorted = rates.stream().skip(1).sorted().toList();
        double median = sorted.get(sorted.size() / 2);
        return Run.EMPTY
                .with("jobs", (double) enqueued)
                .with("restarts", (double) restarts.size())
                .with("restarts_refused", (double) refused)
                .with("releases", (double) ledger.releases())
                .with("jobs_outlived", (double) ledger.outlived())
                .with("jobs_per_second", median)
                .with("least_percent", 100 * sorted.getFirst() / median)
                .with("roll_rates", rates)
                .with("roll_restarts", restarts);
    }

    private static void pause() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(STEP.toNanos());
    }
}
