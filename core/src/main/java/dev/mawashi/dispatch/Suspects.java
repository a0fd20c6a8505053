package dev.mawashi.dispatch;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.fetch.Fetcher;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.JobNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Runs suspects of a capsule alone: jobs that were in hand at several crashes. While one runs,
/// nothing else does in this process, so that a further crash can only be its own.
///
/// All but `expect` is the claimer's thread's.
final class Suspects {
    /// How long running jobs are waited for before suspects run, and how often.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration WAIT_EVERY = Duration.ofMinutes(1);

    private static final int SOLO_CRASHES_MAX = 3;

    private static final Outcome.Failed CRASHED =
            new Outcome.Failed(
                    "Mawashi::ProcessCrashed",
                    "the process died each of the "
                            + SOLO_CRASHES_MAX
                            + " times that this job ran alone in it",
                    List.of(),
                    new RetryHint(
                            RetryHint.Retry.DEFAULT, OptionalLong.empty(), RetryHint.Verdict.KILL));

    private final Capsule capsule;
    private final Capsule.Parts parts;
    private final LeaseBuffer buffer;
    private volatile boolean isExpected;
    private long nextWait = System.nanoTime();

    Suspects(Capsule capsule, Capsule.Parts parts, LeaseBuffer buffer) {
        this.capsule = capsule;
        this.parts = parts;
        this.buffer = buffer;
    }

    /// There may be some in Redis.
    void expect() {
        isExpected = true;
    }

    /// Whether there may be some to run.
    boolean isExpected() {
        return isExpected;
    }

    /// Runs them one after the other, once nothing else runs here. Busy slots are waited for only
    /// so long; the next sweep asks again.
    void runAll(Fetcher fetcher) {
        if (!isExpected || !isAlone()) {
            return;
        }
        isExpected = false;
        if (!parts.solitude().enter(capsule, PATIENCE)) {
            isExpected = true;
            return;
        }
        parts.settler().flush(PATIENCE);
        try {
            boolean isDone = false;
            while (!isDone && !capsule.isQuiet()) {
                Optional<Claiming.Suspect> suspect = fetcher.claimSuspect();
                suspect.ifPresent(this::run);
                isDone = suspect.isEmpty();
            }
        } catch (RedisFailure failure) {
            parts.outage().down(failure.reason());
        } finally {
            parts.solitude().leave(capsule);
        }
    }

    /// True when nothing runs in this capsule. Running jobs are waited for, but so seldom and so
    /// briefly that a long one beside a suspect costs little.
    private boolean isAlone() {
        if (buffer.awaitAllIdle(slots(), Duration.ZERO)) {
            return true;
        }
        long now = System.nanoTime();
        if (now - nextWait < 0) {
            return false;
        }
        nextWait = now + WAIT_EVERY.toNanos();
        return buffer.awaitAllIdle(slots(), PATIENCE);
    }

    private void run(Claiming.Suspect suspect) {
        Lease lease = suspect.lease();
        if (suspect.soloCrashes() >= SOLO_CRASHES_MAX) {
            bury(lease);
            return;
        }
        parts.listener().on(new Event.SuspectRuns(JobNames.of(lease), suspect.soloCrashes()));
        parts.routes().home(lease, capsule).runAlone(lease);
    }

    private void bury(Lease lease) {
        parts.listener().on(new Event.SuspectGivenUp(JobNames.of(lease), SOLO_CRASHES_MAX));
        LateNews news = new LateNews();
        parts.settler().settle(lease, parts.policy().decide(lease, CRASHED, news));
        parts.settler().flush(PATIENCE);
        parts.routes().home(lease, capsule).tell(news);
    }

    private int slots() {
        return capsule.settings().slots();
    }
}
