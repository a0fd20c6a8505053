package dev.mawashi.bench;

import java.util.Locale;

/// The runs of one contestant in one round, a process for each text.
record LinesFigures(LinesRun tall, LinesRun wide) {
    LinesRun of(LinesText.Form form) {
        return switch (form) {
            case TALL -> tall;
            case WIDE -> wide;
        };
    }

    String summary() {
        return String.format(
                Locale.ROOT, "tall %,.0f MB/s, wide %,.0f MB/s", tall.warm(), wide.warm());
    }
}
