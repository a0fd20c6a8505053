package dev.mawashi.http;

/// The rights of a caller; each role includes those before it.
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
