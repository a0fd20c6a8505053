package dev.mawashi.cli;

import dev.mawashi.inspect.TimeText;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The flags `--in` and `--at`.
final class Times {
    private Times() {}

    /// When a job is due; null means now.
    ///
    /// @throws WrongUse when both are given, or a value is not a time
    static @Nullable Instant due(@Nullable String in, @Nullable String at, Instant now) {
        if (in != null && at != null) {
            throw new WrongUse("--in and --at do not go together: give one of them");
        }
        if (in != null) {
            return now.plus(span(in));
        }
        return at == null ? null : instant(at);
    }

    private static Duration span(String text) {
        return TimeText.span(text)
                .orElseThrow(() ->
                        new WrongUse("--in " + text + " is not a time: write " + TimeText.SPANS));
    }

    private static Instant instant(String text) {
        return TimeText.instant(text)
                .orElseThrow(() ->
                        new WrongUse("--at " + text + " is not a time: write " + TimeText.TIMES));
    }
}
