package dev.mawashi.scrape;

import dev.mawashi.figures.MetricsBatch.ClassRuns;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.metrics.EventTally;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Figures of one server, since its start.
///
/// @param isReady whether it can run jobs now
/// @param pools its capsules; none before the app is loaded
/// @param classes runs by runner and class
/// @param code its generations; empty before it works
public record ProcessFigures(
        boolean isReady,
        List<Pool> pools,
        Map<String, List<ClassRuns>> classes,
        EventTally events,
        AlarmFigures alarms,
        Optional<RestartView> code) {
    public ProcessFigures {
        pools = List.copyOf(pools);
        classes = Map.copyOf(classes);
    }

    /// A capsule.
    ///
    /// @param runner what runs its jobs: `jruby`, `mri`, `fork` or `java`
    /// @param slots jobs that run at once, at most
    /// @param busy jobs that run now
    /// @param ended runs that ended, failed ones among them
    /// @param nanos how long they took
    public record Pool(
            String capsule,
            String runner,
            int slots,
            int busy,
            long ended,
            long failed,
            long nanos) {}
}
