package dev.mawashi.operate;

/// The result of an act on many jobs.
///
/// @param touched jobs that it was done to
/// @param gone jobs that were found and, a moment later, were no longer there
/// @param malformed entries that are no jobs and so cannot go to a queue
/// @param trimmed old entries that left the dead set
public record Report(long touched, long gone, long malformed, long trimmed) {
    /// Of an act that has done nothing yet.
    public static final Report NOTHING = new Report(0, 0, 0, 0);

    /// Of an act on so many jobs.
    public static Report touched(long jobs) {
        return new Report(jobs, 0, 0, 0);
    }

    /// Of jobs that were not there any more.
    public static Report gone(long jobs) {
        return new Report(0, jobs, 0, 0);
    }

    /// Both together.
    public Report plus(Report more) {
        return new Report(
                touched + more.touched,
                gone + more.gone,
                malformed + more.malformed,
                trimmed + more.trimmed);
    }
}
