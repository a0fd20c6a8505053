package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.TimeStyle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/// Decides where a job goes after a run, as Sidekiq decides it (docs/formats/sidekiq.md, "Retry").
/// Safe for any thread.
public final class RetryPolicy implements SettlePolicy {
    /// Longest time a formula may ask for: ten years. It bounds the fourth power of a count that a
    /// payload made up.
    private static final long DELAY_SECONDS_MAX = Duration.ofDays(3_650).toSeconds();

    private final RetryRules rules;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Listener listener;

    public RetryPolicy(
            RetryRules rules, InstantSource clock, RandomGenerator random, Listener listener) {
        this.rules = rules;
        this.clock = clock;
        this.random = random;
        this.listener = listener;
    }

    @Override
    public Settlement decide(Lease lease, Outcome outcome, GiveUpNotice app) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> Settlement.ACK;
            case Outcome.Interrupted _ -> Settlement.REQUEUE;
            case Outcome.Cancelled _ -> cancelled(lease);
            case Outcome.Malformed malformed -> buryAsItIs(lease, malformed.reason());
            case Outcome.Failed failed -> afterFailure(lease, failed, app);
        };
    }

    private Settlement cancelled(Lease lease) {
        listener.on(new Event.JobCancelled(JobNames.of(lease)));
        return Settlement.ACK;
    }

    private Settlement buryAsItIs(Lease lease, String reason) {
        listener.on(new Event.JobBuried(new Event.JobName(lease.queue(), "", ""), reason));
        return new Settlement.Bury(lease.payload());
    }

    private Settlement afterFailure(Lease lease, Outcome.Failed failed, GiveUpNotice app) {
        Payload payload;
        try {
            payload = Payload.parse(lease.payload());
        } catch (MalformedPayload malformed) {
            return buryAsItIs(lease, malformed.reason());
        }
        Event.JobName job = JobNames.of(lease, payload);
        RetryHint.Retry retry = retry(payload, failed.hint());
        int count = retryCount(payload);
        FailureFields fields = new FailureFields(rules.backtraces(), clock);
        byte[] changed = payload.with(fields.of(payload, lease, failed, count));
        boolean isNews = app.failed(changed);
        if (!retry.isOn()) {
            reportFailure(job, failed, OptionalLong.empty());
            // Sidekiq changes no such job; where the error was not seen, the payload has to tell
            // it.
            app.giveUp(isNews ? changed : lease.payload(), GiveUp.NO_RETRY);
            return discarded(job, "retry: false");
        }
        boolean isExhausted = isExhausted(payload, count, retry.limit().orElse(rules.maxRetries()));
        RetryHint.Verdict verdict = failed.hint().verdict();
        if (!isExhausted && verdict == RetryHint.Verdict.RETRY) {
            long delay = delaySeconds(payload, failed.hint(), count);
            reportFailure(job, failed, OptionalLong.of(delay));
            return new Settlement.Retry(changed, Duration.ofSeconds(delay));
        }
        reportFailure(job, failed, OptionalLong.empty());
        if (!isExhausted && verdict == RetryHint.Verdict.DISCARD) {
            app.giveUp(changed, GiveUp.DISCARDED);
            return discarded(job, "discard");
        }
        String reason = isExhausted ? "retries exhausted" : "killed by " + failed.errorClass();
        if (app.giveUp(changed, GiveUp.EXHAUSTED)) {
            return discarded(job, reason + ", discard");
        }
        if (payload.isFalse("dead")) {
            return discarded(job, reason + ", dead: false");
        }
        listener.on(new Event.JobBuried(job, reason));
        return new Settlement.Bury(changed);
    }

    private Settlement discarded(Event.JobName job, String reason) {
        listener.on(new Event.JobDiscarded(job, reason));
        return Settlement.ACK;
    }

    /// With `retry_for` its time counts, from Sidekiq 8 on alone, in 7 beside the number of
    /// retries.
    private boolean isExhausted(Payload payload, int count, int limit) {
        OptionalInt seconds = payload.integer("retry_for");
        if (seconds.isEmpty()) {
            return count >= limit;
        }
        boolean isOver =
                TimeStyle.read(payload, "failed_at")
                        .map(first -> first.plusSeconds(seconds.getAsInt()))
                        .filter(end -> end.isBefore(clock.instant()))
                        .isPresent();
        boolean countsToo = TimeStyle.of(payload) == TimeStyle.FLOAT_SECONDS;
        return isOver || (countsToo && count >= limit);
    }

    /// The payload's `retry`, or the class's where it has none. Anything that is neither null,
    /// false nor an integer means the server's limit, as in Sidekiq.
    private static RetryHint.Retry retry(Payload payload, RetryHint hint) {
        String raw = payload.raw("retry");
        if (raw == null || raw.equals("null")) {
            return hint.retry();
        }
        if (raw.equals("false")) {
            return RetryHint.Retry.OFF;
        }
        OptionalInt limit = payload.integer("retry");
        return limit.isPresent() ? RetryHint.Retry.upTo(limit.getAsInt()) : RetryHint.Retry.DEFAULT;
    }

    /// The count that this failure gets: 0 for the first.
    private static int retryCount(Payload payload) {
        OptionalInt before = payload.integer("retry_count");
        if (before.isEmpty()) {
            return 0;
        }
        return Math.max(0, Math.min(before.getAsInt(), Integer.MAX_VALUE - 1) + 1);
    }

    private long delaySeconds(Payload payload, RetryHint hint, int count) {
        double formula = Math.pow(count, 4) + 15;
        long delay =
                hint.delaySeconds().orElse((long) Math.min(formula, (double) DELAY_SECONDS_MAX));
        return Math.min(delay, DELAY_SECONDS_MAX) + jitterSeconds(TimeStyle.of(payload), count);
    }

    /// Sidekiq 6.2.2 to 7 spread by `rand(10) * (count + 1)`, Sidekiq 8 by `rand(10 * (count +
    /// 1))`; a job's time style tells which of them made it.
    private long jitterSeconds(TimeStyle style, int count) {
        int scale = Math.min(count, 1_000_000) + 1;
        return switch (style) {
            case FLOAT_SECONDS -> (long) random.nextInt(10) * scale;
            case INTEGER_MILLIS -> random.nextInt(10 * scale);
        };
    }

    private void reportFailure(
            Event.JobName job, Outcome.Failed failed, OptionalLong retrySeconds) {
        listener.on(new Event.JobFailed(job, failed.errorClass(), failed.message(), retrySeconds));
    }
}
