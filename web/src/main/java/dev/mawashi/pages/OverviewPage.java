package dev.mawashi.pages;

import dev.mawashi.figures.RunTimes;
import dev.mawashi.figures.Stats;
import dev.mawashi.fleet.AlarmView;
import dev.mawashi.fleet.CapsuleView;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.redisfacts.Durability;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// @param perSecond runs that ended per second, of late; negative while that is not known
/// @param failedPerSecond the same of those that failed
/// @param times of the successful runs of the last 15 minutes
/// @param waits of the jobs that Mawashi's processes claimed in that time
/// @param processes that live
public record OverviewPage(
        Shell shell,
        Stats stats,
        Durability durability,
        double perSecond,
        double failedPerSecond,
        RunTimes times,
        RunTimes waits,
        List<ProcessRecord> processes) {
    private static final int QUEUES_MAX = 10;

    /// What is ill everywhere needs no longer list.
    private static final int ALARMS_MAX = 20;

    /// What Sidekiq's own processes run jobs by.
    private static final String SIDEKIQ = "sidekiq";

    public OverviewPage {
        processes = List.copyOf(processes);
    }

    /// An alarm that stands in a process.
    public record Alarmed(AlarmView alarm, String identity) {}

    /// Those of all processes, the oldest first, at most so many.
    public List<Alarmed> alarms() {
        return processes.stream()
                .flatMap(process ->
                        process.own().alarms().stream()
                                .map(alarm -> new Alarmed(alarm, process.identity())))
                .sorted(Comparator.comparing(one -> one.alarm().since()))
                .limit(ALARMS_MAX)
                .toList();
    }

    /// The slots of all processes with one runner.
    public record RunnerSlots(String runner, long slots, long busy) {
        private RunnerSlots plus(RunnerSlots more) {
            return new RunnerSlots(runner, slots + more.slots, busy + more.busy);
        }
    }

    /// Slots by runner, as of the last beats; of other processes as `sidekiq`.
    public Collection<RunnerSlots> runners() {
        Map<String, RunnerSlots> byRunner = new TreeMap<>();
        for (ProcessRecord process : processes) {
            if (process.own().capsules().isEmpty()) {
                add(byRunner, new RunnerSlots(SIDEKIQ, process.concurrency(), process.busy()));
            }
            for (CapsuleView capsule : process.own().capsules()) {
                add(byRunner, new RunnerSlots(capsule.runner(), capsule.slots(), capsule.busy()));
            }
        }
        return byRunner.values();
    }

    private static void add(Map<String, RunnerSlots> byRunner, RunnerSlots more) {
        byRunner.merge(more.runner(), more, RunnerSlots::plus);
    }

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
