package dev.mawashi.sizing;

/// The limits of a wanted number of processes.
///
/// @param latency seconds that the next job of a queue may have waited, 1 to `SECONDS_MAX`
/// @param drain seconds in which all waiting jobs are to be done, 1 to `SECONDS_MAX`
/// @param min fewest processes, 1 to `max`: without a process the work of one is unknown
/// @param max most processes, at most `PROCESSES_MAX`
public record SizeBounds(int latency, int drain, int min, int max) {
    public static final int SECONDS_MAX = 86_400;
    public static final int PROCESSES_MAX = 10_000;

    public static final int LATENCY = 30;
    public static final int DRAIN = 120;
    public static final int MIN = 1;
    public static final int MAX = 100;

    public static final SizeBounds DEFAULT = new SizeBounds(LATENCY, DRAIN, MIN, MAX);

    /// @throws IllegalArgumentException with a message for the operator when they make no sense
    public SizeBounds {
        within("latency", latency, SECONDS_MAX, " seconds");
        within("drain", drain, SECONDS_MAX, " seconds");
        within("min", min, PROCESSES_MAX, " processes");
        within("max", max, PROCESSES_MAX, " processes");
        if (min > max) {
            throw new IllegalArgumentException(
                    "min " + min + " is above max " + max + ": give a min of at most max");
        }
    }

    private static void within(String name, int value, int most, String unit) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    name + " " + value + " makes no sense: give 1 to " + most + unit);
        }
    }
}
