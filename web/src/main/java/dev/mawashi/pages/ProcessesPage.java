package dev.mawashi.pages;

import dev.mawashi.figures.ResqueStats;
import dev.mawashi.fleet.ProcessRecord;
import java.util.List;

/// The live processes, and Resque's workers.
public record ProcessesPage(
        Shell shell, List<ProcessRecord> processes, List<ResqueStats.Worker> workers) {
    public ProcessesPage {
        processes = List.copyOf(processes);
        workers = List.copyOf(workers);
    }
}
