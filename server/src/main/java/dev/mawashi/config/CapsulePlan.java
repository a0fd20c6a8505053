package dev.mawashi.config;

import java.util.SequencedMap;

/// A capsule as flags, the app and `config/mawashi.yml` together want it.
///
/// @param concurrency jobs at once, in each process where there are several; not checked yet
/// @param queues names with their weights; none when it takes only jobs whose class names its
///   runner
/// @param settings of all that is said in the file; the runner is set
public record CapsulePlan(
        String name, int concurrency, SequencedMap<String, Integer> queues, PoolSettings settings) {

    /// The same for one job at a time.
    public CapsulePlan alone() {
        PoolSettings one = new PoolSettings(null, 1, 1, null, PoolSettings.Limits.NONE);
        return new CapsulePlan(name, 1, queues, one.over(settings));
    }

    /// By what its jobs are run.
    public RunnerKind kind() {
        return settings.kind();
    }

    /// Ruby processes that it has; 1 when its jobs run in ours.
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

    /// Whether it takes only jobs whose class names its runner.
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
