package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// Settles jobs that did not let themselves be ended, in place of the slots that they hold, and
/// reports those to the app, and others that were lost.
final class StuckJobs {
    /// How long error handlers may take, and death handlers with `sidekiq_retries_exhausted`.
    private static final Duration ASK_PATIENCE = Duration.ofSeconds(60);

    private final Runner runner;
    private final RunParts parts;
    private final Counters counters;
    private final Decisions decisions = new Decisions();
    private final GiveUpNotice notice = new Notice();

    StuckJobs(Runner runner, RunParts parts, Counters counters) {
        this.runner = runner;
        this.parts = parts;
        this.counters = counters;
    }

    /// Returns at once: what the app is asked may hang as the job does.
    void settle(Lease lease, Cut cut, long runNanos) {
        decisions.make(() -> {
            parts.settle(lease, cut.outcome(), notice);
            counters.ended(runNanos, cut.outcome());
        });
    }

    /// Returns at once too.
    void notifyApp(LateNews news) {
        decisions.make(() -> news.notifyApp(notice));
    }

    boolean isDone() {
        return decisions.areMade();
    }

    private final class Notice implements GiveUpNotice {
        @Override
        public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
            return ask(payload, slot -> slot.giveUp(payload, reason));
        }

        @Override
        public boolean failed(byte[] payload) {
            Optional<byte[]> _ =
                    ask(
                            payload,
                            slot -> {
                                slot.reportLost(payload);
                                return Optional.empty();
                            });
            return true;
        }
    }

    /// In a slot of its own, which a handler that hangs holds for good.
    ///
    /// @return the answer; the payload when there is none
    private Optional<byte[]> ask(byte[] payload, Function<RunnerSlot, Optional<byte[]>> question) {
        CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
        Thread.ofPlatform()
                .name("mawashi-give-up-1")
                .daemon()
                .start(() -> answer.complete(askInSlot(payload, question)));
        try {
            return answer.get(ASK_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of(payload);
        } catch (ExecutionException | TimeoutException _) {
            // The job is settled all the same.
            return Optional.of(payload);
        }
    }

    private Optional<byte[]> askInSlot(
            byte[] payload, Function<RunnerSlot, Optional<byte[]>> question) {
        try (RunnerSlot slot = runner.openSlot()) {
            return question.apply(slot);
        } catch (RuntimeException defect) {
            parts.listener().on(new Event.Defect("give up", defect));
            return Optional.of(payload);
        }
    }
}
