package dev.mawashi.pages;

import dev.mawashi.inspect.ProcessView;
import java.util.List;

/// The live processes.
public record ProcessesPage(Shell shell, List<ProcessView> processes) {
    public ProcessesPage {
        processes = List.copyOf(processes);
    }
}
