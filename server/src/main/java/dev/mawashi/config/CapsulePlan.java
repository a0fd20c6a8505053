package dev.mawashi.config;

import java.util.SequencedMap;

/// A capsule as flags, the app and `config/mawashi.yml` together want it.
///
/// @param slots jobs at once in the server; not checked yet
/// @param queues names with their weights; none for Resque's, and when it takes only jobs whose
///   class names its runner
/// @param settings what the file and flags say, joined; the runner is set
/// @param processes MRI processes that run its jobs, perhaps beside those of other capsules; 1 with
///   any other runner
/// @param isApart whether it has these processes for itself
public record CapsulePlan(
        String name,
        int slots,
        SequencedMap<String, Integer> queues,
        PoolSettings settings,
        int processes,
        boolean isApart) {

    /// A capsule before the processes are counted.
    ///
    /// @param concurrency jobs at once, see `isEach`
    /// @param isEach whether so many run in each process, and not in the server
    record Draft(
            String name,
            int concurrency,
            boolean isEach,
            SequencedMap<String, Integer> queues,
            PoolSettings settings,
            boolean isApart) {

        boolean isShared() {
            return settings.kind().hasProcesses() && !isApart;
        }

        /// @param shared slots of all capsules that share processes, this one among them
        CapsulePlan plan(int shared) {
            int processes = processes(isApart ? mostSlots() : shared);
            int slots =
                    isEach && settings.kind().hasProcesses()
                            ? processes * concurrency
                            : concurrency;
            return new CapsulePlan(name, slots, queues, settings, processes, isApart);
        }

        /// Its slots when it gets as many processes as it wants.
        int mostSlots() {
            Integer wanted = settings.processes();
            return isEach && wanted != null ? wanted * concurrency : concurrency;
        }

        /// Each has a slot at least: one without would be a child that runs nothing.
        private int processes(int slots) {
            if (!settings.kind().hasProcesses()) {
                return 1;
            }
            Integer wanted = settings.processes();
            return Math.clamp(
                    slots, 1, wanted == null ? Runtime.getRuntime().availableProcessors() : wanted);
        }
    }

    /// This capsule with one slot, for runs of suspects.
    public CapsulePlan alone() {
        PoolSettings one = new PoolSettings(null, 1, 1, null, PoolSettings.Limits.NONE);
        return new CapsulePlan(name, 1, queues, one.over(settings), 1, isApart);
    }

    /// This capsule with what can change while it works taken from another plan of the same runner:
    /// limits, and the order of the queues where these are the same.
    public CapsulePlan taking(CapsulePlan other) {
        if (other.kind() != kind() || other.isApart != isApart) {
            return this;
        }
        return new CapsulePlan(
                name,
                slots,
                queues.keySet().equals(other.queues.keySet()) ? other.queues : queues,
                settings.limited(other.settings.limits()),
                processes,
                isApart);
    }

    /// The runner of its jobs.
    public RunnerKind kind() {
        return settings.kind();
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
        return name + (processes == 1 ? ", one process" : ", " + processes + " processes");
    }
}
