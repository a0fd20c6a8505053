package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// Settles jobs that did not let themselves be ended, in place of the slots that they hold.
final class StuckJobs {
    /// How long death handlers and `sidekiq_retries_exhausted` may take.
    private static final Duration GIVE_UP_PATIENCE = Duration.ofSeconds(60);

    private static final long STACK_BYTES = 2 << 20;

    private final Runner runner;
    private final Capsule.Parts parts;
    private final Counters counters;
    private final AtomicInteger deciding = new AtomicInteger();

    StuckJobs(Runner runner, Capsule.Parts parts, Counters counters) {
        this.runner = runner;
        this.parts = parts;
        this.counters = counters;
    }

    /// Returns at once: what the app is asked may hang as the job does.
    void settle(Lease lease, Cut cut, long runNanos) {
        Outcome outcome = parts.cancelled().judge(lease, cut.outcome());
        deciding.incrementAndGet();
        Thread.ofVirtual()
                .name("mawashi-decide-1")
                .start(() -> {
                    try {
                        parts.settler()
                                .settle(lease, parts.policy().decide(lease, outcome, this::giveUp));
                        parts.cancelled().settled(lease, outcome);
                        counters.ended(runNanos, outcome);
                    } finally {
                        deciding.decrementAndGet();
                    }
                });
    }

    boolean isDone() {
        return deciding.get() == 0;
    }

    /// In a slot of its own, which a handler that hangs holds for good.
    private boolean giveUp(byte[] payload, GiveUp reason) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread.ofPlatform()
                .name("mawashi-give-up-1")
                .stackSize(STACK_BYTES)
                .daemon()
                .start(() -> answer.complete(ask(payload, reason)));
        try {
            return answer.get(GIVE_UP_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException _) {
            // The job is settled all the same.
            return false;
        }
    }

    private boolean ask(byte[] payload, GiveUp reason) {
        try (RunnerSlot slot = runner.openSlot()) {
            return slot.giveUp(payload, reason);
        } catch (RuntimeException defect) {
            parts.listener().on(new Event.Defect("give up", defect));
            return false;
        }
    }
}
