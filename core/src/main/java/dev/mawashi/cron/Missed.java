package dev.mawashi.cron;

import java.util.Locale;

/// The ticks that are run of those that came while no server decided them.
public enum Missed {
    /// None, but the last if it is at most a minute old.
    SKIP,
    /// The last.
    ONE,
    /// All, in their order.
    ALL;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @throws IllegalArgumentException when there is none of this name
    public static Missed of(String word) {
        for (Missed missed : values()) {
            if (missed.word().equals(word)) {
                return missed;
            }
        }
        throw new IllegalArgumentException("missed \"" + word + "\" is none of skip, one and all");
    }
}
