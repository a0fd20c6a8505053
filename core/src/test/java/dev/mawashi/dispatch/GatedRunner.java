package dev.mawashi.dispatch;

import dev.mawashi.Eventually;
import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A runner whose jobs wait at a gate: each needs a pass, and `open` lets all through. A job whose
/// payload holds `fail` fails, one with `throw` makes the runner throw, one with `deaf` does not
/// listen to interrupts.
public final class GatedRunner implements Runner {
    private static final int ALL = 1 << 20;

    private final Semaphore passes = new Semaphore(0);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostRunning = new AtomicInteger();
    private final List<String> started = Collections.synchronizedList(new ArrayList<>());
    private final List<String> interrupted = Collections.synchronizedList(new ArrayList<>());

    /// Lets so many jobs through.
    public void pass(int jobs) {
        passes.release(jobs);
    }

    public void open() {
        passes.release(ALL);
    }

    public void awaitRunning(int jobs) {
        Eventually.until(jobs + " jobs run", () -> running.get() >= jobs);
    }

    public int running() {
        return running.get();
    }

    public int mostRunning() {
        return mostRunning.get();
    }

    /// Payloads in the order of their runs.
    public List<String> started() {
        synchronized (started) {
            return List.copyOf(started);
        }
    }

    public List<String> interrupted() {
        synchronized (interrupted) {
            return List.copyOf(interrupted);
        }
    }

    @Override
    public RunnerSlot openSlot() {
        return new Slot();
    }

    @Override
    public void close() {}

    private final class Slot implements RunnerSlot {
        private final AtomicBoolean isInterrupted = new AtomicBoolean();
        private final AtomicReference<@Nullable Cut> cut = new AtomicReference<>();
        private volatile byte @Nullable [] current;

        @Override
        public String jobName() {
            return "GatedJob";
        }

        @Override
        public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
            return Optional.of(payload);
        }

        @Override
        public Outcome run(String queue, byte[] payload) {
            String text = new String(payload, StandardCharsets.UTF_8);
            cut.set(null);
            current = payload;
            started.add(text);
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                return attempt(text);
            } finally {
                running.decrementAndGet();
            }
        }

        private Outcome attempt(String text) {
            while (!tryPass()) {
                Cut asked = cut.get();
                if (asked != null && !text.contains("deaf")) {
                    return asked.outcome();
                }
                if (isInterrupted.get() && !text.contains("deaf")) {
                    interrupted.add(text);
                    return Outcome.INTERRUPTED;
                }
            }
            if (text.contains("throw")) {
                throw new IllegalStateException("a runner's defect");
            }
            return text.contains("fail")
                    ? new Outcome.Failed("RuntimeError", "no", List.of())
                    : Outcome.SUCCEEDED;
        }

        private boolean tryPass() {
            try {
                return passes.tryAcquire(5, java.util.concurrent.TimeUnit.MILLISECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void interrupt() {
            isInterrupted.set(true);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // the very array
        public void cut(byte[] payload, Cut asked) {
            if (current == payload) {
                cut.set(asked);
            }
        }

        @Override
        public void close() {}
    }
}
