package dev.mawashi.migrate;

import java.util.Map;
import java.util.TreeMap;

/// The result of a migration.
///
/// @param jobs for each place by its key how many were moved
/// @param refused for each place from which nothing can be moved the reason, with the remedy
/// @param left what is in the first Redis still
public record Migrated(Map<String, Long> jobs, Map<String, String> refused, Left left) {
    public Migrated {
        jobs = new TreeMap<>(jobs);
        refused = new TreeMap<>(refused);
    }

    /// All of them.
    public long sum() {
        return jobs.values().stream().mapToLong(n -> n).sum();
    }

    /// Whether nothing is left, and nothing was refused.
    public boolean isWhole() {
        return refused.isEmpty() && left.isNothing();
    }
}
