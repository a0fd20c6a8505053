package dev.mawashi.children;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// The start of new code beside the old. A parent loads the app anew and forks a child; from its
/// first child on that can run jobs, its children take the places of those before, which get no
/// more jobs and end with what they run, however long that takes.
///
/// Until then the old code serves: a boot that fails or takes too long is ended with all that it
/// has started, and changes nothing.
public final class Renewal {
    private final Family family;
    private final Duration limit;
    private final Consumer<List<String>> check;

    /// @param limit longest time until the new code can run jobs
    /// @param check looks at the new code's report, in the order of `report.rb`, and throws
    ///   `ChildFailure` when it must not take over
    public Renewal(Family family, Duration limit, Consumer<List<String>> check) {
        this.family = family;
        this.limit = limit;
        this.check = check;
    }

    /// Returns once the new code runs jobs.
    ///
    /// @return done when the last process of the code before has ended
    /// @throws ChildFailure with the reason, in one or a few lines; the code before runs all jobs
    ///   then
    public CompletableFuture<Void> run() {
        long end = System.nanoTime() + limit.toNanos();
        RubyParent next = family.launchNext();
        CompletableFuture<Void> timer =
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> _ = timer.thenRun(next::endWhole);
        try {
            load(next);
        } catch (RuntimeException failed) {
            boolean isInTime = timer.cancel(false);
            family.abandon(next);
            throw isInTime ? reason(failed) : late(next);
        }
        if (!timer.cancel(false)) {
            family.abandon(next);
            throw late(next);
        }
        return takeOver(next, end);
    }

    private RuntimeException reason(RuntimeException failed) {
        ChildFailure refusal = family.refusal().orElse(null);
        return refusal == null ? failed : refusal;
    }

    private void load(RubyParent next) {
        next.awaitBoot();
        List<String> report = next.startUp();
        if (report == null) {
            throw new ChildFailure(
                    "the first process of the new code ended before it could run jobs: "
                            + next.lastLines());
        }
        check.accept(report);
    }

    private ChildFailure late(RubyParent next) {
        String last = next.lastLines();
        return new ChildFailure(
                "the new code could not run jobs within "
                        + limit.toSeconds()
                        + " s (restart.boot_limit in config/mawashi.yml)"
                        + (last.isEmpty() ? "" : ": " + last));
    }

    private CompletableFuture<Void> takeOver(RubyParent next, long end) {
        Family.Before before;
        try {
            before = family.takeOver(next);
        } catch (ChildFailure failed) {
            family.abandon(next);
            throw failed;
        }
        try {
            Void _ = next.working().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException _) {
            ChildFailure failed =
                    new ChildFailure("no process of the new code runs jobs: " + next.lastLines());
            family.fallBack(next, before);
            throw failed;
        }
        before.parent().ifPresent(RubyParent::retire);
        return before.parent()
                .map(RubyParent::end)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }
}
