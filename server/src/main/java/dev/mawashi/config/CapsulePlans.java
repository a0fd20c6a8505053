package dev.mawashi.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/// Joins the capsules that an app wants with what `config/mawashi.yml` says of them. A queue for
/// which the file wants slots of its own leaves its capsule for one that is called `capsule/queue`.
public final class CapsulePlans {
    private final RunnerChoice choice;
    private final List<CapsulePlan> plans = new ArrayList<>();

    /// A capsule as the app wants it.
    ///
    /// @param queues names with their weights
    public record Wanted(String name, int concurrency, SequencedMap<String, Integer> queues) {}

    private CapsulePlans(RunnerChoice choice) {
        this.choice = choice;
    }

    /// @throws ConfigFailure when the file names a capsule that the app does not have, or maps a
    ///   queue to two runners
    public static List<CapsulePlan> of(List<Wanted> capsules, RunnerChoice choice) {
        CapsulePlans plans = new CapsulePlans(choice);
        plans.checkNames(capsules);
        capsules.forEach(plans::add);
        plans.checkQueues();
        choice.runners().keySet().stream().sorted().forEach(plans::addRunner);
        return List.copyOf(plans.plans);
    }

    /// Queues that the file names and no capsule works on: perhaps another server's, perhaps
    /// misspelled.
    public static Set<String> strangers(List<CapsulePlan> plans, RunnerChoice choice) {
        return choice.queues().keySet().stream()
                .filter(queue -> plans.stream().noneMatch(plan -> plan.queues().containsKey(queue)))
                .collect(Collectors.toSet());
    }

    private void checkNames(List<Wanted> capsules) {
        List<String> known = capsules.stream().map(Wanted::name).toList();
        for (String name : choice.capsules().keySet()) {
            if (!known.contains(name)) {
                throw new ConfigFailure(
                        "config/mawashi.yml names a capsule \"%s\", the app has: %s"
                                .formatted(name, String.join(", ", known)));
            }
        }
    }

    private void add(Wanted capsule) {
        if (capsule.queues().isEmpty()) {
            throw new ConfigFailure("capsule \"" + capsule.name() + "\" has no queues");
        }
        PoolSettings settings = choice.capsule(capsule.name());
        SequencedMap<String, Integer> rest = new LinkedHashMap<>(capsule.queues());
        for (String queue : capsule.queues().keySet()) {
            PoolSettings own = choice.queues().getOrDefault(queue, PoolSettings.NONE);
            if (own.needsOwnSlots() && capsule.queues().size() > 1) {
                SequencedMap<String, Integer> alone = new LinkedHashMap<>();
                alone.put(queue, rest.remove(queue));
                plan(capsule.name() + "/" + queue, capsule, alone, own.over(settings));
            } else if (own.needsOwnSlots()) {
                settings = own.over(settings);
            }
        }
        if (!rest.isEmpty()) {
            plan(capsule.name(), capsule, rest, settings);
        }
    }

    private void plan(
            String name,
            Wanted capsule,
            SequencedMap<String, Integer> queues,
            PoolSettings settings) {
        Integer concurrency = settings.concurrency();
        int slots = concurrency == null ? capsule.concurrency() : concurrency;
        plans.add(new CapsulePlan(name, slots, queues, settings));
    }

    private void addRunner(RunnerKind kind) {
        PoolSettings settings = choice.runner(kind);
        Integer concurrency = settings.concurrency();
        int slots = concurrency == null ? plans.getFirst().concurrency() : concurrency;
        plans.add(new CapsulePlan("runner-" + kind.word(), slots, new LinkedHashMap<>(), settings));
    }

    private void checkQueues() {
        Map<String, CapsulePlan> seen = new HashMap<>();
        for (CapsulePlan plan : plans) {
            for (String queue : plan.queues().keySet()) {
                CapsulePlan other = seen.putIfAbsent(queue, plan);
                if (other != null && other.kind() != plan.kind()) {
                    throw new ConfigFailure(
                            "queue \"%s\" is mapped to two runners: %s in capsule \"%s\", %s in capsule \"%s\""
                                    .formatted(
                                            queue,
                                            other.kind().word(),
                                            other.name(),
                                            plan.kind().word(),
                                            plan.name()));
                }
            }
        }
    }

    /// The runners that the capsules need.
    public static Set<RunnerKind> kinds(Collection<CapsulePlan> plans) {
        return plans.stream().map(CapsulePlan::kind).collect(Collectors.toSet());
    }
}
