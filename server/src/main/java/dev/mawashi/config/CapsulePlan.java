package dev.mawashi.config;

import java.util.SequencedMap;

/// A capsule as flags, the app and `config/mawashi.yml` together want it.
///
/// @param concurrency jobs at once, in each process where there are several; not checked yet
/// @param queues names with their weights; none for Resque's, and when it takes only jobs whose
///   class names its runner
/// @param settings what the file and flags say, joined; the runner is set
public record CapsulePlan(
        String name, int concurrency, SequencedMap<String, Integer> queues, PoolSettings settings) {

    /// This capsule with one slot, for runs of suspects.
    public CapsulePlan alone() {
        PoolSettings one = new PoolSettings(null, 1, 1, null, PoolSettings.Limits.NONE);
        return new CapsulePlan(name, 1, queues, one.over(settings));
    }

    /// The runner of its jobs.
    public RunnerKind kind() {
        return settings.kind();
    }

    /// How many MRI processes it has; 1 with any other runner.
    public int processes() {
        Integer wanted = settings.processes();
        if (!kind().hasProcesses()) {
            return 1;
        }
        return wanted == null ? Runtime.getRuntime().availableProcessors() : wanted;
    }

    /// Jobs that run at once.
    public int slots() {
        return processes() * concurrency;
    }

    /// Whether it takes only jobs whose class names its runner. Not to be asked of Resque's plan.
    public boolean isForClasses() {
        return queues.isEmpty();
    }

    public boolean isVirtual() {
        return Boolean.TRUE.equals(settings.isVirtual());
    }

    /// The runner in a few words, for the log.
    public String describeRunner() {
        String name = "runner " + kind().word();
        if (!kind().hasProcesses()) {
            return isVirtual() ? name + " on virtual threads" : name;
        }
        return name + (processes() == 1 ? ", one process" : ", " + processes() + " processes");
    }
}
