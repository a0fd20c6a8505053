package dev.mawashi.children;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Limits beyond which a child is replaced; it first ends the jobs that it runs.
///
/// @param memoryMib its share of memory above which it is replaced, and above twice of which it is
///   killed; 0 for no limit
/// @param jobs how many it runs; 0 for no limit
/// @param age how old it gets; null for no limit
public record ChildLimits(int memoryMib, long jobs, @Nullable Duration age) {
    public static final ChildLimits NONE = new ChildLimits(0, 0, null);

    public ChildLimits {
        if (memoryMib < 0 || jobs < 0 || (age != null && !age.isPositive())) {
            throw new IllegalArgumentException(
                    "memory_limit is %s, recycle_jobs %s, recycle_hours %s: none may be below 0"
                            .formatted(memoryMib, jobs, age));
        }
    }
}
