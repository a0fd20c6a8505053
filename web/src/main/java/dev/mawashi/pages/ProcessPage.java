package dev.mawashi.pages;

import dev.mawashi.fleet.ChildView;
import dev.mawashi.fleet.JvmView;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.fleet.WorkView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// All that is known of one process.
///
/// @param lease how long it still holds; empty for none
/// @param jvm empty when the process did not answer
/// @param children none where threads run the jobs, and when the process did not answer
/// @param code its generations; empty when it did not answer
/// @param problem why it did not answer; "" when it did
public record ProcessPage(
        Shell shell,
        ProcessRecord process,
        Optional<Duration> lease,
        List<WorkView> work,
        Optional<JvmView> jvm,
        List<ChildView> children,
        Optional<RestartView> code,
        String problem) {
    public ProcessPage {
        work = List.copyOf(work);
        children = List.copyOf(children);
    }
}
