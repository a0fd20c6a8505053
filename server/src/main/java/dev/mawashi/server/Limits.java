package dev.mawashi.server;

import dev.mawashi.children.ChildLimits;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.PoolSettings;
import dev.mawashi.dispatch.TimeLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes the limits that `config/mawashi.yml` sets.
final class Limits {
    private static final double MILLIS_OF_A_SECOND = 1e3;
    private static final double MILLIS_OF_AN_HOUR = 3.6e6;

    private Limits() {}

    /// How long a capsule's jobs may run.
    ///
    /// @param queues settings of single queues, which win over the capsule's
    static TimeLimits ofTime(CapsulePlan plan, Map<String, PoolSettings> queues) {
        Map<String, Double> byQueue = new HashMap<>();
        for (String queue : plan.queues().keySet()) {
            Double seconds = queues.getOrDefault(queue, PoolSettings.NONE).limits().timeSeconds();
            if (seconds != null) {
                byQueue.put(queue, seconds);
            }
        }
        return ofTime(byQueue, plan.settings().limits().timeSeconds());
    }

    /// @param byQueue seconds by queue, which win over `otherwise`
    /// @param otherwise seconds; null for no limit
    static TimeLimits ofTime(Map<String, Double> byQueue, @Nullable Double otherwise) {
        Map<String, Duration> limits = new HashMap<>();
        byQueue.forEach(
                (queue, seconds) -> limits.put(queue, millis(seconds * MILLIS_OF_A_SECOND)));
        return new TimeLimits(
                limits, otherwise == null ? null : millis(otherwise * MILLIS_OF_A_SECOND));
    }

    /// When a capsule's Ruby processes are replaced.
    static ChildLimits ofChildren(CapsulePlan plan) {
        PoolSettings.Limits limits = plan.settings().limits();
        Double hours = limits.recycleHours();
        return new ChildLimits(
                orNone(limits.memoryMegabytes()),
                orNone(limits.recycleJobs()),
                hours == null ? null : millis(hours * MILLIS_OF_AN_HOUR));
    }

    private static int orNone(@Nullable Integer limit) {
        return limit == null ? 0 : limit;
    }

    private static Duration millis(double millis) {
        return Duration.ofMillis(Math.max(1, Math.round(millis)));
    }
}
