package dev.mawashi.pages;

import dev.mawashi.inspect.ProcessView;
import dev.mawashi.inspect.ResqueStats;
import java.util.List;

/// The live processes, and Resque's workers.
public record ProcessesPage(
        Shell shell, List<ProcessView> processes, List<ResqueStats.Worker> workers) {
    public ProcessesPage {
        processes = List.copyOf(processes);
        workers = List.copyOf(workers);
    }
}
