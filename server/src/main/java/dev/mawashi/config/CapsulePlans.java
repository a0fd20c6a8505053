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
///
/// A concurrency holds in the server, but where it is said of how many processes beside it: then it
/// is the threads of each. For the app's main capsule flags and the top of the file say it too.
public final class CapsulePlans {
    private static final String MAIN = "default";

    private final RunnerChoice choice;
    private final List<CapsulePlan.Draft> plans = new ArrayList<>();

    /// A capsule as the app wants it.
    ///
    /// @param queues names with their weights
    /// @param origins where `concurrency` and `queues` came from
    public record Wanted(
            String name, int concurrency, SequencedMap<String, Integer> queues, Origins origins) {}

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
        return plans.counted();
    }

    private List<CapsulePlan> counted() {
        int shared =
                plans.stream()
                        .filter(CapsulePlan.Draft::isShared)
                        .mapToInt(CapsulePlan.Draft::mostSlots)
                        .sum();
        return plans.stream().map(plan -> plan.plan(shared)).toList();
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
        PoolSettings section = choice.capsules().getOrDefault(capsule.name(), PoolSettings.NONE);
        PoolSettings settings = section.over(choice.all());
        boolean isEach = (capsule.name().equals(MAIN) ? settings : section).processes() != null;
        boolean isApart = section.needsOwnProcesses();
        SequencedMap<String, Integer> rest = new LinkedHashMap<>(capsule.queues());
        for (String queue : capsule.queues().keySet()) {
            PoolSettings own = choice.queues().getOrDefault(queue, PoolSettings.NONE);
            if (own.needsOwnSlots() && capsule.queues().size() > 1) {
                SequencedMap<String, Integer> alone = new LinkedHashMap<>();
                alone.put(queue, rest.remove(queue));
                String name = capsule.name() + "/" + queue;
                plan(name, capsule, alone, own, new Said(settings, isEach, isApart));
            } else if (own.needsOwnSlots()) {
                // The queue is all that there is of the capsule.
                plan(capsule.name(), capsule, rest, own, new Said(settings, isEach, isApart));
                return;
            }
        }
        if (!rest.isEmpty()) {
            Said said = new Said(settings, isEach, isApart);
            plan(capsule.name(), capsule, rest, PoolSettings.NONE, said);
        }
    }

    /// The settings of a whole capsule.
    ///
    /// @param isEach whether its concurrency holds in each process
    private record Said(PoolSettings settings, boolean isEach, boolean isApart) {
        boolean isEach(PoolSettings own) {
            return own.processes() != null || (own.concurrency() == null && isEach);
        }
    }

    /// @param own settings of the queue that it is for; `NONE` where it is for others too
    private void plan(
            String name,
            Wanted capsule,
            SequencedMap<String, Integer> queues,
            PoolSettings own,
            Said said) {
        PoolSettings settings = own.over(said.settings()).from(capsule.origins());
        Integer concurrency = settings.concurrency();
        plans.add(
                new CapsulePlan.Draft(
                        name,
                        concurrency == null ? capsule.concurrency() : concurrency,
                        said.isEach(own),
                        queues,
                        settings,
                        said.isApart() || own.needsOwnProcesses()));
    }

    private void addRunner(RunnerKind kind) {
        PoolSettings own = choice.runners().getOrDefault(kind, PoolSettings.NONE);
        PoolSettings settings = own.over(choice.all());
        Integer concurrency = settings.concurrency();
        plans.add(
                new CapsulePlan.Draft(
                        "runner-" + kind.word(),
                        concurrency == null ? plans.getFirst().concurrency() : concurrency,
                        own.processes() != null,
                        new LinkedHashMap<>(),
                        settings,
                        own.needsOwnProcesses()));
    }

    private void checkQueues() {
        Map<String, CapsulePlan.Draft> seen = new HashMap<>();
        for (CapsulePlan.Draft plan : plans) {
            for (String queue : plan.queues().keySet()) {
                CapsulePlan.Draft other = seen.putIfAbsent(queue, plan);
                if (other != null && other.settings().kind() != plan.settings().kind()) {
                    throw new ConfigFailure(
                            "queue \"%s\" is mapped to two runners: %s in capsule \"%s\", %s in capsule \"%s\""
                                    .formatted(
                                            queue,
                                            other.settings().kind().word(),
                                            other.name(),
                                            plan.settings().kind().word(),
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
