package dev.mawashi.bench.rig;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.wire.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A server under an even load for a long time, that is restarted now and then and watched: 60 % of
/// its slots are busy, one job in a hundred fails once, one in twenty is scheduled for ten seconds
/// later.
///
/// One thread enqueues, restarts and watches in turn, a few times per second.
public final class SoakRun {
    /// What is watched, by its field, with the words for it.
    public static final Map<String, String> WATCHED = watched();

    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double LOAD = 0.6;

    /// As soak.rb has it.
    private static final double JOB_SECONDS = 0.05;

    private static final int SCHEDULED_EACH = 20;
    private static final double DELAY_SECONDS = 10;
    private static final double NANOS = 1e9;
    private static final double MIB = 1 << 20;
    private static final double KIB = 1 << 10;

    private final Ground ground;
    private final Contestant contestant;
    private final Plan plan;
    private final ContestantProcesses crew;
    private final Tally tally;
    private final Map<String, List<Double>> samples = new LinkedHashMap<>();
    private long enqueued;
    private int restarts;
    private boolean isEnding;
    private boolean isBooting;
    private @Nullable Process restart;

    /// The course of a run.
    ///
    /// @param slots that the server has
    /// @param periods of load, with a restart between two
    /// @param period its seconds, from the end of a restart to the next one
    /// @param interval seconds between two looks
    /// @param isRenewed whether `mawashi restart` brings new code; otherwise it is stopped and
    ///   started
    public record Plan(int slots, int periods, int period, int interval, boolean isRenewed) {}

    private SoakRun(Ground ground, Contestant contestant, Plan plan, Path place) {
        this.ground = ground;
        this.contestant = contestant;
        this.plan = plan;
        tally = new Tally(place);
        Map<String, String> environment =
                Map.of("REDIS_URL", ground.redis().url(), "BENCH_TALLY", place.toString());
        crew = ContestantProcesses.start(contestant, environment, place.resolve("log"));
    }

    private static Map<String, String> watched() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("memory_megabytes", "MB of all processes (PSS)");
        words.put("threads", "threads of all processes");
        words.put("descriptors", "open descriptors of all processes");
        words.put("keys", "keys in Redis, without metrics and waiting jobs");
        words.put("key_kilobytes", "KB of these keys");
        words.put("metric_keys", "keys of metrics");
        return words;
    }

    /// Runs it to its end.
    ///
    /// @return the samples by [#WATCHED], counts, and the `seconds` of each sample, without those
    ///   of restarts
    /// @throws BenchFailure when a job is lost or runs twice, or a restart fails
    public static Run take(Ground ground, Contestant contestant, Plan plan)
            throws InterruptedException {
        try {
            ground.redis().clear();
            Path place = Files.createTempDirectory(ground.folder(), contestant.name() + "-");
            SoakRun run = new SoakRun(ground, contestant, plan, place);
            try {
                return run.soak();
            } finally {
                run.crew.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Run soak() throws InterruptedException {
        await("the first beat", () -> ground.redis().servers() > 0);
        long begin = System.nanoTime();
        long since = begin;
        double looked = 0;
        int period = 0;
        while (period < plan.periods()) {
            long now = System.nanoTime();
            enqueue((long) ((now - begin) / NANOS * LOAD * plan.slots() / JOB_SECONDS));
            double seconds = (now - since) / NANOS;
            if (isRestarting()) {
                since = now;
                looked = 0;
            } else if (seconds >= plan.period()) {
                period++;
                if (period < plan.periods()) {
                    beginRestart();
                }
            } else if (seconds - looked >= plan.interval()) {
                looked = seconds;
                look((double) period * plan.period() + seconds);
            }
            pause();
        }
        await("the last jobs", () -> tally.read() >= enqueued);
        return finish();
    }

    private void enqueue(long upTo) {
        List<byte[]> list = List.of(ascii("LPUSH"), ascii(JobSource.SIDEKIQ.queue));
        List<byte[]> set = List.of(ascii("ZADD"), ascii(Keys.SCHEDULE));
        ground.redis().call("SADD", Keys.QUEUES, BenchRedis.QUEUE);
        for (; enqueued < upTo; enqueued++) {
            byte[] payload = Payloads.SOAK.payload(enqueued, JobSource.SIDEKIQ);
            boolean isLater = enqueued % SCHEDULED_EACH == 1;
            String due = "" + (ground.nanos() / NANOS + DELAY_SECONDS);
            ground.redis()
                    .push(
                            isLater ? set : list,
                            enqueued,
                            1,
                            _ -> isLater ? List.of(ascii(due), payload) : List.of(payload));
        }
    }

    private void beginRestart() {
        restarts++;
        if (plan.isRenewed()) {
            List<String> words = new ArrayList<>(ground.launcher());
            words.add("restart");
            restart = crew.beside(words);
        } else {
            crew.askToStop();
            isEnding = true;
        }
    }

    /// Goes on with a restart that is under way.
    ///
    /// @throws BenchFailure when it has failed, or a server has ended of its own accord
    private boolean isRestarting() throws InterruptedException {
        if (isEnding) {
            isEnding = !crew.startWhenEnded();
            isBooting = !isEnding;
            return true;
        }
        crew.await(Duration.ZERO);
        isBooting = isBooting && ground.redis().servers() == 0;
        Process asked = restart;
        if (asked == null || asked.isAlive()) {
            return isBooting || asked != null;
        }
        restart = null;
        if (asked.exitValue() != 0) {
            throw new BenchFailure("mawashi restart failed: " + crew.lastLine());
        }
        return false;
    }

    private void look(double seconds) {
        KeyUse use = ground.redis().keyUse();
        add("seconds", seconds);
        add("memory_megabytes", crew.proportionalBytes() / MIB);
        add("threads", (double) crew.threads());
        add("descriptors", (double) crew.descriptors());
        add("keys", (double) use.keys());
        add("key_kilobytes", use.bytes() / KIB);
        add("metric_keys", (double) use.metricKeys());
    }

    private void add(String field, double value) {
        samples.computeIfAbsent(field, _ -> new ArrayList<>()).add(value);
    }

    private Run finish() throws InterruptedException {
        crew.stop();
        long done = tally.read();
        if (done != enqueued) {
            throw new BenchFailure(
                    String.format(
                            Locale.ROOT,
                            "%s did %,d jobs of %,d",
                            contestant.name(),
                            done,
                            enqueued));
        }
        String left = ground.redis().leftovers();
        if (!left.isEmpty()) {
            throw new BenchFailure(contestant.name() + " left " + left);
        }
        Run run = Run.EMPTY.with("jobs", (double) done).with("restarts", (double) restarts);
        for (Map.Entry<String, List<Double>> one : samples.entrySet()) {
            run = run.with("soak_" + one.getKey(), one.getValue());
        }
        return run;
    }

    private static void pause() throws InterruptedException {
        LockSupport.parkNanos(STEP.toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean isMet() throws InterruptedException;
    }

    /// Waits as long as jobs get done.
    private void await(String what, Condition condition) throws InterruptedException {
        long done = -1;
        long since = System.nanoTime();
        while (!condition.isMet()) {
            long now = System.nanoTime();
            long read = tally.read();
            since = read == done ? since : now;
            done = read;
            if (now - since > PATIENCE.toNanos()) {
                throw new BenchFailure(
                        String.format(
                                Locale.ROOT,
                                "%s: waited in vain for %s, did %,d jobs of %,d, last line: %s",
                                contestant.name(),
                                what,
                                done,
                                enqueued,
                                crew.lastLine()));
            }
            pause();
        }
    }
}
