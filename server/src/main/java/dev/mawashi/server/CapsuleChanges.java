package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.PoolSettings;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.TimeLimits;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.job.Dialect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the differences between a capsule as it works and as new settings want it: its runner and
/// size stay, its order of queues and its limits change.
final class CapsuleChanges {
    private final Changes changes;
    private final Apps apps;

    CapsuleChanges(Changes changes, Apps apps) {
        this.changes = changes;
        this.apps = apps;
    }

    /// @param before what it was made of
    void size(CapsulePlan before, CapsulePlan now) {
        String of = " of capsule " + now.name();
        if (before.kind() != now.kind()) {
            changes.atStart("the runner" + of);
            return;
        }
        if (before.slots() != now.slots()) {
            changes.atStart("the concurrency" + of);
        }
        if (before.processes() != now.processes() || before.isApart() != now.isApart()) {
            changes.atStart("the processes" + of);
        }
        if (before.isVirtual() != now.isVirtual()) {
            changes.atStart("the threads" + of);
        }
    }

    /// @param serve has it served in this order
    void queues(Capsule capsule, CapsulePlan now, BiConsumer<Capsule, QueueOrder> serve) {
        if (now.isForClasses()) {
            return;
        }
        QueueOrder before = capsule.settings().queues();
        QueueOrder order = new QueueOrder(now.queues()).parkedAtMost(before.parkedMax());
        if (!Set.copyOf(before.names()).equals(Set.copyOf(order.names()))) {
            changes.atStart("the names of queues of capsule " + now.name());
        } else if (!entries(before).equals(entries(order))) {
            changes.live(
                    "queues of capsule " + now.name() + ": " + Pools.describe(order),
                    () -> serve.accept(capsule, order));
        }
    }

    private static List<Map.Entry<String, Integer>> entries(QueueOrder order) {
        return List.copyOf(order.weights().entrySet());
    }

    void times(Capsule capsule, TimeLimits now) {
        if (!now.equals(capsule.settings().limits())) {
            changes.live(
                    "time_limit of capsule " + capsule.settings().name() + ": " + text(now),
                    () -> capsule.limit(now));
        }
    }

    private static String text(TimeLimits limits) {
        Stream<String> queues =
                new TreeMap<>(limits.byQueue())
                        .entrySet().stream().map(one -> one.getKey() + " " + text(one.getValue()));
        return Stream.concat(Stream.of(text(limits.otherwise())), queues)
                .collect(Collectors.joining(", "));
    }

    private static String text(@Nullable Duration limit) {
        return limit == null ? "none" : number(limit.toMillis() / 1e3) + " s";
    }

    private static String number(double number) {
        return number == Math.rint(number) ? "" + (long) number : "" + number;
    }

    /// When its Ruby processes are replaced.
    void children(CapsulePlan before, CapsulePlan now, Dialect dialect) {
        boolean isSame = before.kind() == now.kind() && before.isApart() == now.isApart();
        if (!isSame
                || !now.kind().hasProcesses()
                || Limits.ofChildren(before).equals(Limits.ofChildren(now))) {
            return;
        }
        PoolSettings.Limits limits = now.settings().limits();
        changes.live(
                "memory_limit, recycle_jobs and recycle_hours of capsule %s: %s, %s, %s"
                        .formatted(
                                now.name(),
                                text(limits.memoryMegabytes()),
                                text(limits.recycleJobs()),
                                text(limits.recycleHours())),
                () -> apps.limit(now, dialect));
    }

    private static String text(@Nullable Number limit) {
        return limit == null ? "none" : number(limit.doubleValue());
    }
}
