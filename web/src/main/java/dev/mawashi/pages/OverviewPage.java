package dev.mawashi.pages;

import dev.mawashi.inspect.Durability;
import dev.mawashi.inspect.Stats;
import java.util.Comparator;
import java.util.List;

/// @param perSecond runs that ended a second, of late; negative while that is not known
/// @param failedPerSecond the same of those that failed
public record OverviewPage(
        Shell shell, Stats stats, Durability durability, double perSecond, double failedPerSecond) {
    private static final int QUEUES_MAX = 10;

    /// The queues whose next job has waited longest.
    public List<Stats.QueueStats> queues() {
        return stats.queues().stream()
                .sorted(
                        Comparator.comparingDouble(Stats.QueueStats::latencySeconds)
                                .thenComparingLong(Stats.QueueStats::size)
                                .reversed())
                .limit(QUEUES_MAX)
                .toList();
    }
}
