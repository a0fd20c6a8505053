package dev.mawashi.fleet;

import java.util.List;

/// All that a process writes at a beat.
///
/// @param work what it runs
public record ProcessBeat(ProcessRecord record, List<WorkEntry> work) {
    public ProcessBeat {
        work = List.copyOf(work);
    }
}
