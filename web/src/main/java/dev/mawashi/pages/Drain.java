package dev.mawashi.pages;

/// The time until a queue is empty, if jobs keep coming and going as of late.
///
/// @param perSecond jobs by which it grows per second; negative when it shrinks
/// @param seconds until it is empty; negative when it does not shrink
public record Drain(double perSecond, double seconds) {
    /// Less than that may as well be no change.
    private static final double STILL = 0.05;

    /// @param size jobs that wait now
    public static Drain of(long size, double perSecond) {
        return new Drain(perSecond, perSecond < -STILL ? size / -perSecond : -1);
    }

    /// `12 min 5 s`, `grows`, or "" where there is nothing to say.
    public String text() {
        if (perSecond > STILL) {
            return "grows";
        }
        return seconds < 0 ? "" : Show.span(seconds);
    }
}
