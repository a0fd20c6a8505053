package dev.mawashi.children;

import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Reads what `mawashi/children/outcomes.rb` writes of a job that did not succeed.
final class OutcomeReader {
    private static final int RETRY_OFF = -2;
    private static final int RETRY_ON = -1;
    private static final int DISCARD = 1;
    private static final int KILL = 2;
    private static final int HOLD = 3;

    private OutcomeReader() {}

    /// Whether the run came as far as its class.
    ///
    /// @param frame read up to the outcome
    static boolean hadClass(Frame frame) {
        char kind = (char) frame.body().get(frame.body().position());
        return kind != 'N' && kind != 'M';
    }

    /// @param frame read up to the outcome
    static Outcome read(Frame frame) {
        char kind = (char) frame.body().get();
        String errorClass = frame.text();
        String message = frame.text();
        long option = frame.body().getLong();
        long delay = frame.body().getLong();
        int verdict = frame.body().get();
        return switch (kind) {
            case 'I' -> Outcome.INTERRUPTED;
            case 'M' -> new Outcome.Malformed(message);
            case 'F', 'N' ->
                    new Outcome.Failed(
                            errorClass, message, lines(frame), hint(option, delay, verdict));
            default -> throw new IllegalStateException("an outcome of kind " + kind);
        };
    }

    private static List<String> lines(Frame frame) {
        List<String> lines = new ArrayList<>();
        while (frame.body().hasRemaining()) {
            lines.add(frame.text());
        }
        return lines;
    }

    private static RetryHint hint(long option, long delay, int verdict) {
        RetryHint.Retry retry =
                switch ((int) option) {
                    case RETRY_OFF -> RetryHint.Retry.OFF;
                    case RETRY_ON -> RetryHint.Retry.DEFAULT;
                    default -> RetryHint.Retry.upTo((int) option);
                };
        return new RetryHint(
                retry,
                delay > 0 ? OptionalLong.of(delay) : OptionalLong.empty(),
                switch (verdict) {
                    case DISCARD -> RetryHint.Verdict.DISCARD;
                    case KILL -> RetryHint.Verdict.KILL;
                    case HOLD -> RetryHint.Verdict.HOLD;
                    default -> RetryHint.Verdict.RETRY;
                });
    }
}
