package dev.mawashi.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Samples how busy the cores are while a contestant runs.
///
/// A thread of its own adds samples until it is asked to stop; they are read after it has ended.
final class CoreWatch implements AutoCloseable {
    private static final Path FILE = Path.of("/proc/stat");
    private static final long STEP_MS = 200;

    /// Where a long run has this many samples, pairs of them are joined.
    private static final int SAMPLES_MAX = 600;

    /// The columns of a line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq,
    /// steal.
    private static final int IDLE = 4;

    private static final int IOWAIT = 5;
    private static final int STEAL = 8;

    private final long started = System.nanoTime();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Sample> samples = new ArrayList<>();
    private final Thread watching;

    /// The kernel's counts for each core at a time, in its ticks.
    private record Sample(double seconds, List<long[]> ticks) {}

    private CoreWatch() {
        samples.add(look());
        watching = Thread.ofVirtual().name("mawashi-cores-1").unstarted(this::watch);
    }

    static CoreWatch start() {
        CoreWatch watch = new CoreWatch();
        watch.watching.start();
        return watch;
    }

    private void watch() {
        try {
            long step = STEP_MS;
            while (!end.await(step, TimeUnit.MILLISECONDS)) {
                samples.add(look());
                if (samples.size() > SAMPLES_MAX) {
                    thin(samples);
                    step *= 2;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Drops every other sample: the counts go on, so each one left gives the mean of two.
    private static void thin(List<Sample> samples) {
        List<Sample> kept = new ArrayList<>();
        for (int i = 0; i < samples.size(); i += 2) {
            kept.add(samples.get(i));
        }
        samples.clear();
        samples.addAll(kept);
    }

    /// Ends the watch.
    Run stop() throws InterruptedException {
        close();
        watching.join();
        samples.add(look());
        return load(samples);
    }

    private Sample look() {
        double seconds = (System.nanoTime() - started) / 1e9;
        try {
            return new Sample(seconds, ticks(Files.readAllLines(FILE)));
        } catch (IOException _) {
            return new Sample(seconds, List.of()); // No Linux.
        }
    }

    /// The ticks of each core.
    ///
    /// @param lines of `/proc/stat`
    static List<long[]> ticks(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches("cpu\\d+ .*"))
                .map(CoreWatch::busyAndAll)
                .toList();
    }

    private static long[] busyAndAll(String line) {
        String[] words = line.split(" +", -1);
        long all = 0;
        for (int i = 1; i <= STEAL && i < words.length; i++) {
            all += Long.parseLong(words[i]);
        }
        long still = Long.parseLong(words[IDLE]) + Long.parseLong(words[IOWAIT]);
        long stolen = words.length > STEAL ? Long.parseLong(words[STEAL]) : 0;
        return new long[] {all - still - stolen, all};
    }

    /// How busy each core of the machine was, from 0 to 1, by everything that ran on it.
    private static Run load(List<Sample> samples) {
        int cores = samples.stream().mapToInt(one -> one.ticks().size()).min().orElse(0);
        List<Double> seconds = samples.stream().skip(1).map(Sample::seconds).toList();
        List<List<Double>> busy = new ArrayList<>();
        for (int core = 0; core < cores; core++) {
            List<Double> parts = new ArrayList<>();
            for (int i = 1; i < samples.size(); i++) {
                long[] before = samples.get(i - 1).ticks().get(core);
                long[] after = samples.get(i).ticks().get(core);
                parts.add(part(after[0] - before[0], after[1] - before[1]));
            }
            busy.add(parts);
        }
        return Run.EMPTY
                .with("cores_seconds", cores == 0 ? List.of() : seconds)
                .with("cores_busy", busy);
    }

    /// To a hundredth, since a sample has some twenty ticks.
    private static double part(long busy, long all) {
        return all <= 0 ? 0 : Math.clamp(Math.round(100.0 * busy / all) / 100.0, 0.0, 1.0);
    }

    @Override
    public void close() {
        end.countDown();
    }
}
