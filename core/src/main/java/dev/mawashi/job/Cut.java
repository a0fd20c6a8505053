package dev.mawashi.job;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// The reason to end a job that runs from outside, other than the server's stop.
///
/// @param message for the job's error
public record Cut(Reason reason, String message) {
    /// An operator wants the job gone.
    public static final Cut CANCELLED = new Cut(Reason.CANCELLED, "cancelled by an operator");

    /// What the server itself says of runs begins so.
    private static final String OURS = "Mawashi::";

    /// The kinds, by the name of what is raised in the job.
    public enum Reason {
        TIME_LIMIT("Mawashi::TimeLimitExceeded"),
        CANCELLED("Mawashi::Cancelled");

        private final String errorClass;

        Reason(String errorClass) {
            this.errorClass = errorClass;
        }

        public String errorClass() {
            return errorClass;
        }
    }

    public Cut {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(message, "message");
    }

    /// The job has run for longer than it may.
    public static Cut overTime(Duration limit) {
        BigDecimal seconds =
                BigDecimal.valueOf(limit.toMillis(), 3)
                        .setScale(3, RoundingMode.UNNECESSARY)
                        .stripTrailingZeros();
        return new Cut(
                Reason.TIME_LIMIT,
                "ran longer than its time limit of " + seconds.toPlainString() + " s");
    }

    /// What came of a run that did not end by itself.
    public Outcome.Failed outcome() {
        return new Outcome.Failed(reason.errorClass(), message, List.of());
    }

    /// What came of a run that ended after it was asked to. An error of the job's own stands; that
    /// it was interrupted, or died of it, only says how it was ended.
    public Outcome over(Outcome ended) {
        return switch (ended) {
            case Outcome.Interrupted _ -> outcome();
            case Outcome.Failed failed ->
                    failed.errorClass().startsWith(OURS)
                            ? new Outcome.Failed(
                                    reason.errorClass(), message, failed.backtrace(), failed.hint())
                            : failed;
            case Outcome.Succeeded _, Outcome.Malformed _, Outcome.Cancelled _ -> ended;
        };
    }
}
