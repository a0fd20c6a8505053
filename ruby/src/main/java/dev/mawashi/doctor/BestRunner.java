package dev.mawashi.doctor;

import java.util.Locale;

/// The runners that the doctor chooses from, the least isolated first. Its words are those of
/// `config/mawashi.yml`.
public enum BestRunner {
    JRUBY,
    MRI,
    FORK;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The one of both that isolates more.
    BestRunner or(BestRunner other) {
        return compareTo(other) < 0 ? other : this;
    }
}
