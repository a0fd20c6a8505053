package dev.mawashi;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Runs a target with random input for a while: a second in `./check`, longer by `.ci/fuzz`.
public final class Fuzz {
    private static final long SECONDS = Long.getLong("mawashi.fuzz.seconds", 1);
    private static final long SEED = Long.getLong("mawashi.fuzz.seed", System.nanoTime());

    /// A run's input by itself must lead to the same end again.
    public interface Target {
        void run(Random random);
    }

    private Fuzz() {}

    /// Returns after the time, or throws with the seed of the first run that failed.
    public static void run(String name, Target target) {
        System.out.printf("fuzz %s: from seed %d%n", name, SEED);
        long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        long runs = 0;
        for (long seed = SEED; System.nanoTime() < end; seed++, runs++) {
            try {
                target.run(new Random(seed));
            } catch (RuntimeException | Error failure) {
                throw new AssertionError(name + " fails with -Dmawashi.fuzz.seed=" + seed, failure);
            }
        }
        System.out.printf("fuzz %s: %,d runs from seed %d%n", name, runs, SEED);
    }

    /// Changes some bytes: sets, drops, repeats, cuts.
    public static byte[] mutated(byte[] bytes, RandomGenerator random) {
        byte[] changed = bytes.clone();
        for (int i = random.nextInt(4); i >= 0 && changed.length > 0; i--) {
            int at = random.nextInt(changed.length);
            int to = at + random.nextInt(changed.length - at + 1);
            changed =
                    switch (random.nextInt(4)) {
                        case 0 -> {
                            changed[at] = (byte) random.nextInt(256);
                            yield changed;
                        }
                        case 1 -> joined(changed, at, to);
                        case 2 -> joined(changed, to, at);
                        default -> Arrays.copyOf(changed, at);
                    };
        }
        return changed;
    }

    /// What is before `end` and what is from `start` on.
    private static byte[] joined(byte[] bytes, int end, int start) {
        byte[] all = new byte[end + bytes.length - start];
        System.arraycopy(bytes, 0, all, 0, end);
        System.arraycopy(bytes, start, all, end, bytes.length - start);
        return all;
    }
}
