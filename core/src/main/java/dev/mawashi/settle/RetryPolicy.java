package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.Expiry;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/// Decides where a job goes after a run, as Sidekiq decides it: `RetryJudge` says what is to become
/// of it, then the app and the log hear of that. Safe for any thread.
public final class RetryPolicy implements SettlePolicy {
    /// After that time a held job is looked at again, by whatever server then claims it.
    private static final Duration HOLD = Duration.ofHours(1);

    private final RetryJudge judge;
    private final InstantSource clock;
    private final Listener listener;

    public RetryPolicy(
            RetryRules rules, InstantSource clock, RandomGenerator random, Listener listener) {
        judge = new RetryJudge(rules, clock, random);
        this.clock = clock;
        this.listener = listener;
    }

    @Override
    public Settlement decide(Lease lease, Outcome outcome, GiveUpNotice app) {
        return switch (judge.judge(lease, outcome)) {
            case Verdict.Quietly quietly -> quietly.settlement();
            case Verdict.Cancelled _ -> cancelled(lease);
            case Verdict.Unreadable unreadable -> buryAsItIs(lease, unreadable.reason());
            case Verdict.Held held -> hold(lease, held);
            case Verdict.Again again -> again(lease, again, app);
            case Verdict.Never never -> never(lease, never, app);
        };
    }

    @Override
    public Optional<Settlement> expired(Lease lease) {
        if (!Expiry.isOver(lease.payload(), clock)) {
            return Optional.empty();
        }
        listener.on(new Event.JobExpired(JobNames.of(lease)));
        return Optional.of(Settlement.ACK);
    }

    private Settlement cancelled(Lease lease) {
        listener.on(new Event.JobCancelled(JobNames.of(lease)));
        return Settlement.ACK;
    }

    private Settlement buryAsItIs(Lease lease, String reason) {
        listener.on(new Event.JobBuried(new Event.JobName(lease.queue(), "", ""), reason));
        return new Settlement.Bury(lease.payload());
    }

    /// The retry set shows it, loses nothing, and lets it go by hand or by time.
    private Settlement hold(Lease lease, Verdict.Held held) {
        listener.on(new Event.JobHeld(JobNames.of(lease), held.reason()));
        return new Settlement.Retry(held.payload(), HOLD);
    }

    private Settlement again(Lease lease, Verdict.Again again, GiveUpNotice app) {
        app.failed(again.payload());
        report(lease, again.failed(), OptionalLong.of(again.delay().toSeconds()));
        return new Settlement.Retry(again.payload(), again.delay());
    }

    private Settlement never(Lease lease, Verdict.Never never, GiveUpNotice app) {
        boolean isNews = app.failed(never.payload());
        report(lease, never.failed(), OptionalLong.empty());
        // Sidekiq changes no job that has `retry: false`; where the error was not seen, the payload
        // has to say it.
        boolean isUnchanged = never.how() == GiveUp.NO_RETRY && !isNews;
        Optional<byte[]> kept =
                app.giveUp(isUnchanged ? lease.payload() : never.payload(), never.how());
        Event.JobName job = JobNames.of(lease);
        if (never.how() != GiveUp.EXHAUSTED) {
            return discarded(job, never.reason());
        }
        if (kept.isEmpty()) {
            return discarded(job, never.reason() + ", discard");
        }
        if (saysNotDead(kept.get())) {
            return discarded(job, never.reason() + ", dead: false");
        }
        listener.on(new Event.JobBuried(job, never.reason()));
        return new Settlement.Bury(kept.get());
    }

    private static boolean saysNotDead(byte[] payload) {
        try {
            return Payload.parse(payload).isFalse("dead");
        } catch (MalformedPayload _) {
            // The app has made it so, and may want to see it.
            return false;
        }
    }

    private Settlement discarded(Event.JobName job, String reason) {
        listener.on(new Event.JobDiscarded(job, reason));
        return Settlement.ACK;
    }

    private void report(Lease lease, Outcome.Failed failed, OptionalLong retrySeconds) {
        listener.on(
                new Event.JobFailed(
                        JobNames.of(lease), failed.errorClass(), failed.message(), retrySeconds));
    }
}
