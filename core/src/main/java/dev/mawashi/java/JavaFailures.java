package dev.mawashi.java;

import dev.mawashi.job.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns what a job threw into an outcome.
final class JavaFailures {
    /// Sidekiq keeps so many, too.
    private static final int MESSAGE_CHARS_MAX = 10_000;

    private static final int LINES_MAX = 1_000;
    private static final int CAUSES_MAX = 20;

    /// What calls the app's code; from there on a backtrace is not the app's.
    private static final Set<String> CALLERS =
            Set.of(JavaClass.class.getName(), RecordReader.class.getName());

    private JavaFailures() {}

    /// The failure. Asks the exception, which is of the app's making and may throw in its turn.
    static Outcome.Failed of(Throwable thrown) {
        if (thrown instanceof Refusal refusal) {
            return new Outcome.Failed(
                    refusal.errorClass(), String.valueOf(refusal.getMessage()), List.of());
        }
        return new Outcome.Failed(thrown.getClass().getName(), message(thrown), lines(thrown));
    }

    private static String message(Throwable thrown) {
        String message = thrown.getMessage();
        if (message == null) {
            return thrown.getClass().getName();
        }
        return message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX));
    }

    /// The backtrace as far as it is the app's, with those of the causes.
    private static List<String> lines(Throwable thrown) {
        List<String> lines = new ArrayList<>();
        @Nullable Throwable next = thrown;
        for (int depth = 0; next != null && depth < CAUSES_MAX; depth++) {
            if (depth > 0) {
                lines.add("Caused by: " + next.getClass().getName() + ": " + message(next));
            }
            for (StackTraceElement frame : next.getStackTrace()) {
                if (CALLERS.contains(frame.getClassName()) || lines.size() >= LINES_MAX) {
                    break;
                }
                lines.add(frame.toString());
            }
            next = next.getCause();
        }
        return lines;
    }
}
