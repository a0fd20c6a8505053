package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.TimeStyle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/// Judges runs as Sidekiq does (docs/formats/sidekiq.md, "Retry"), and reports to nobody. Safe for
/// any thread.
final class RetryJudge {
    /// Longest time a formula may ask for: ten years. It bounds the fourth power of a count that a
    /// payload made up.
    private static final long DELAY_SECONDS_MAX = Duration.ofDays(3_650).toSeconds();

    private final RetryRules rules;
    private final InstantSource clock;
    private final RandomGenerator random;

    RetryJudge(RetryRules rules, InstantSource clock, RandomGenerator random) {
        this.rules = rules;
        this.clock = clock;
        this.random = random;
    }

    Verdict judge(Lease lease, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> new Verdict.Quietly(Settlement.ACK);
            case Outcome.Interrupted _ -> new Verdict.Quietly(Settlement.REQUEUE);
            case Outcome.Cancelled _ -> new Verdict.Cancelled();
            case Outcome.Malformed malformed -> new Verdict.Unreadable(malformed.reason());
            case Outcome.Failed failed -> afterFailure(lease, failed);
        };
    }

    private Verdict afterFailure(Lease lease, Outcome.Failed failed) {
        Payload payload;
        try {
            payload = Payload.parse(lease.payload());
        } catch (MalformedPayload malformed) {
            return new Verdict.Unreadable(malformed.reason());
        }
        FailureFields fields = new FailureFields(rules, clock);
        if (failed.hint().verdict() == RetryHint.Verdict.HOLD) {
            byte[] held = payload.with(fields.held(payload, lease, failed));
            return new Verdict.Held(held, failed.message());
        }
        RetryHint.Retry retry = retry(payload, failed.hint());
        int count = retryCount(payload);
        byte[] changed = payload.with(fields.of(payload, lease, failed, count));
        if (!retry.isOn()) {
            return new Verdict.Never(failed, changed, GiveUp.NO_RETRY, "retry: false");
        }
        RetryHint.Verdict wanted = failed.hint().verdict();
        if (isExhausted(payload, count, retry.limit().orElse(rules.maxRetries()))) {
            return exhausted(failed, changed, "retries exhausted");
        }
        return switch (wanted) {
            case RETRY ->
                    new Verdict.Again(
                            failed,
                            changed,
                            Duration.ofSeconds(delaySeconds(payload, failed.hint(), count)));
            case DISCARD -> new Verdict.Never(failed, changed, GiveUp.DISCARDED, "discard");
            case KILL -> exhausted(failed, changed, "killed by " + failed.errorClass());
            case HOLD -> throw new IllegalStateException("a held job has not failed");
        };
    }

    private static Verdict exhausted(Outcome.Failed failed, byte[] changed, String reason) {
        return new Verdict.Never(failed, changed, GiveUp.EXHAUSTED, reason);
    }

    /// With `retry_for` its time counts from the first failure on, from Sidekiq 8 on alone, in 7
    /// beside the number of retries. A job that was held has a time, and has not failed.
    private boolean isExhausted(Payload payload, int count, int limit) {
        OptionalInt seconds = payload.integer("retry_for");
        if (seconds.isEmpty()) {
            return count >= limit;
        }
        boolean isOver =
                payload.isTruthy("retry_count")
                        && TimeStyle.read(payload, "failed_at")
                                .map(first -> first.plusSeconds(seconds.getAsInt()))
                                .filter(end -> end.isBefore(clock.instant()))
                                .isPresent();
        boolean countsToo = TimeStyle.of(payload, rules.times()) == TimeStyle.FLOAT_SECONDS;
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
        return Math.min(delay, DELAY_SECONDS_MAX)
                + jitterSeconds(TimeStyle.of(payload, rules.times()), count);
    }

    /// Sidekiq 6.2.2 to 7 spread by `rand(10) * (count + 1)`, Sidekiq 8 by `rand(10 * (count +
    /// 1))`; a job's time style shows which of them made it.
    private long jitterSeconds(TimeStyle style, int count) {
        int scale = Math.min(count, 1_000_000) + 1;
        return switch (style) {
            case FLOAT_SECONDS -> (long) random.nextInt(10) * scale;
            case INTEGER_MILLIS -> random.nextInt(10 * scale);
        };
    }
}
