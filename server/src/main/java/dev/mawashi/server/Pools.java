package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.PoolSettings;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleParts;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.TimeLimits;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.ruby.AppSettings;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Makes the capsules that an app wants, and describes them for the log.
final class Pools {
    private static final System.Logger LOG = System.getLogger(Pools.class.getName());

    private Pools() {}

    /// @param parkedMax at how many queues each parks at most
    /// @throws StartFailure when a capsule cannot be as the app wants it
    static List<Capsule> of(Apps apps, CapsuleParts parts, ServerSettings settings, int parkedMax) {
        if (!servesSidekiq(settings, apps.settings())) {
            return List.of();
        }
        return apps.plans().stream()
                .map(plan -> settings.isAlone() ? plan.alone() : plan)
                .map(plan -> capsule(apps, plan, parts, parkedMax))
                .toList();
    }

    /// Beside Resque's queues, Sidekiq's are served only when flags or the config file name some.
    static boolean servesSidekiq(ServerSettings settings, AppSettings wanted) {
        return settings.resque() == null
                || settings.app().configFile() != null
                || !settings.app().queues().isEmpty()
                || wanted.capsules().size() > 1
                || wanted.capsules().stream()
                        .anyMatch(pool -> !pool.queues().keySet().equals(Set.of("default")));
    }

    private static Capsule capsule(Apps apps, CapsulePlan plan, CapsuleParts parts, int parkedMax) {
        CapsuleSettings settings = settings(plan, apps.queueSettings(), parkedMax);
        Capsule capsule = new Capsule(settings, apps.execution(plan, Dialect.SIDEKIQ), parts);
        if (plan.isForClasses()) {
            capsule.takeFor(plan.kind().word());
        }
        return capsule;
    }

    /// @param queues settings of single queues, by their names
    /// @param parkedMax at how many queues it parks at most
    /// @throws StartFailure when the capsule cannot be as it is wanted
    static CapsuleSettings settings(
            CapsulePlan plan, Map<String, PoolSettings> queues, int parkedMax) {
        try {
            TimeLimits limits = Limits.ofTime(plan, queues);
            return plan.isForClasses()
                    ? CapsuleSettings.routed(plan.name(), plan.slots(), limits)
                    : new CapsuleSettings(
                            plan.name(),
                            plan.slots(),
                            new QueueOrder(plan.queues()).parkedAtMost(parkedMax),
                            limits);
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure("capsule \"" + plan.name() + "\": " + wrong.getMessage());
        }
    }

    /// Stops all capsules at once, so that their running jobs share one patience. One that hangs is
    /// left to itself: what it holds is recovered by others.
    ///
    /// @param more how much longer their stops may take than `patience`
    static void stop(List<? extends Service> capsules, Duration patience, Duration more) {
        List<Thread> stops =
                capsules.stream()
                        .map(capsule ->
                                Thread.ofVirtual()
                                        .name("mawashi-stop-1")
                                        .start(() -> capsule.stop(patience)))
                        .toList();
        long end = System.nanoTime() + patience.plus(more).toNanos();
        try {
            for (Thread stop : stops) {
                if (!stop.join(Duration.ofNanos(end - System.nanoTime()))) {
                    LOG.log(
                            Level.WARNING,
                            "a capsule does not stop: its jobs are left to recovery");
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// The queues that all capsules park at, none twice.
    static List<String> parkedQueues(List<Capsule> capsules) {
        return capsules.stream()
                .flatMap(capsule -> capsule.settings().queues().parked().stream())
                .distinct()
                .toList();
    }

    /// For the log: queues, slots, runners, and names where there are several.
    static String describe(List<CapsulePlan> plans) {
        List<String> runners = plans.stream().map(CapsulePlan::describeRunner).distinct().toList();
        boolean isOneRunner = runners.size() == 1;
        String capsules =
                plans.stream()
                        .map(plan -> describe(plan, plans.size() > 1, !isOneRunner))
                        .collect(Collectors.joining("; "));
        return isOneRunner ? capsules + ", " + runners.getFirst() : capsules;
    }

    private static String describe(CapsulePlan plan, boolean isNamed, boolean showsRunner) {
        List<String> remarks = new ArrayList<>();
        if (isNamed) {
            remarks.add("capsule " + plan.name());
        }
        if (showsRunner) {
            remarks.add(plan.describeRunner());
        }
        return queues(plan)
                + " with "
                + plan.slots()
                + (plan.slots() == 1 ? " slot" : " slots")
                + (remarks.isEmpty() ? "" : " (" + String.join(", ", remarks) + ")");
    }

    private static String queues(CapsulePlan plan) {
        if (plan.isForClasses()) {
            return "job classes that name it";
        }
        return describe(new QueueOrder(plan.queues()));
    }

    /// For people: names, with their weights where the order is drawn.
    static String describe(QueueOrder order) {
        return order.weights().entrySet().stream()
                .map(queue -> name(queue, order.mode() == QueueOrder.Mode.STRICT))
                .collect(Collectors.joining(", "));
    }

    private static String name(Map.Entry<String, Integer> queue, boolean isStrict) {
        return isStrict ? queue.getKey() : queue.getKey() + "," + queue.getValue();
    }
}
