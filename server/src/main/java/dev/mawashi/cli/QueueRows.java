package dev.mawashi.cli;

import dev.mawashi.figures.Stats;
import java.util.List;
import java.util.Locale;

/// Queues as a table for people.
final class QueueRows {
    private QueueRows() {}

    static String table(List<Stats.QueueStats> queues) {
        TextTable table = new TextTable("queue", "waiting", "in flight", "latency", "state");
        for (Stats.QueueStats queue : queues) {
            table.row(
                    queue.name(),
                    TextTable.number(queue.size()),
                    TextTable.number(queue.inFlight()),
                    String.format(Locale.ROOT, "%.1f s", queue.latencySeconds()),
                    state(queue));
        }
        return table.toString();
    }

    static String state(Stats.QueueStats queue) {
        if (queue.isPaused()) {
            return "paused";
        }
        return queue.isServed() ? "" : "not served";
    }
}
