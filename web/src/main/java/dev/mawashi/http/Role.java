package dev.mawashi.http;

/// The rights of a caller; each role includes those before it, save that who enqueues does not
/// look.
public enum Role {
    /// Whoever can reach the port.
    ANYBODY,
    /// Look.
    VIEWER,
    /// Enqueue jobs, and nothing else.
    ENQUEUER,
    /// Pause, retry, cancel, quiet: what can be undone, or ends one job.
    OPERATOR,
    /// Clear and delete, end processes.
    ADMIN;

    public boolean may(Role needed) {
        return compareTo(needed) >= 0 && !(this == ENQUEUER && needed == VIEWER);
    }
}
