package dev.mawashi.cli;

import dev.mawashi.inspect.Stats;
import dev.mawashi.wire.Json;
import java.util.List;
import java.util.Locale;

/// Queues as a table for people and as JSON for programs.
final class QueueRows {
    private QueueRows() {}

    static String table(List<Stats.QueueStats> queues) {
        Table table = new Table("queue", "waiting", "in flight", "latency", "state");
        for (Stats.QueueStats queue : queues) {
            table.row(
                    queue.name(),
                    Table.number(queue.size()),
                    Table.number(queue.inFlight()),
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

    static String json(Stats.QueueStats queue) {
        return String.format(
                Locale.ROOT,
                "{\"name\":%s,\"size\":%d,\"in_flight\":%d,\"latency\":%.3f,\"paused\":%b,"
                        + "\"served\":%b}",
                Json.quote(queue.name()),
                queue.size(),
                queue.inFlight(),
                queue.latencySeconds(),
                queue.isPaused(),
                queue.isServed());
    }
}
