package dev.mawashi.operate;

/// What an act on many jobs came to.
///
/// @param touched jobs that it was done to
/// @param gone jobs that were found and, a moment later, were no longer there
/// @param malformed entries that are no jobs and so cannot go to a queue
/// @param trimmed old entries that left the dead set
public record Report(long touched, long gone, long malformed, long trimmed) {
    static final Report NOTHING = new Report(0, 0, 0, 0);

    Report plus(Report more) {
        return new Report(
                touched + more.touched,
                gone + more.gone,
                malformed + more.malformed,
                trimmed + more.trimmed);
    }
}
