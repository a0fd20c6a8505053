package dev.mawashi.pages;

import dev.mawashi.fleet.WorkView;
import java.util.List;

/// The running jobs, the longest first.
public record BusyPage(Shell shell, List<WorkView> work) {
    public BusyPage {
        work = List.copyOf(work);
    }
}
