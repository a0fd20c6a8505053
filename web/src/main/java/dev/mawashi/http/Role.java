package dev.mawashi.http;

/// What somebody may do; each may do what those before it may.
public enum Role {
    /// Whoever can reach the port.
    ANYBODY,
    /// Look.
    VIEWER,
    /// Pause, retry, cancel, quiet: what can be undone, or ends one job.
    OPERATOR,
    /// Clear and delete, end processes.
    ADMIN;

    public boolean may(Role needed) {
        return compareTo(needed) >= 0;
    }
}
