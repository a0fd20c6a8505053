package dev.mawashi.operate;

/// Hears how far an act on many jobs has come, after each of its steps.
public interface Progress {
    /// Hears nothing.
    Progress UNHEARD = (_, _) -> {};

    /// @param sum what it came to so far
    /// @param looked how many jobs were looked at
    /// @throws java.util.concurrent.CancellationException to end it
    void reached(Report sum, long looked);
}
