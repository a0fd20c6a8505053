package dev.mawashi.pages;

import dev.mawashi.inspect.Stats;
import java.util.List;

/// All queues by name.
public record QueuesPage(Shell shell, List<Stats.QueueStats> queues) {
    public QueuesPage {
        queues = List.copyOf(queues);
    }
}
