package dev.mawashi.figures;

import dev.mawashi.redisfacts.Durability;
import dev.mawashi.wire.JsonFields;

/// Figures as JSON, the same on the command line and over HTTP.
public final class StatsJson {
    private StatsJson() {}

    public static String of(Stats stats, Durability durability) {
        return new JsonFields()
                .number("processed", stats.processed())
                .number("failed", stats.failed())
                .number("enqueued", stats.enqueued())
                .number("scheduled", stats.scheduled())
                .number("retries", stats.retries())
                .number("dead", stats.dead())
                .number("processes", stats.processes())
                .number("busy", stats.busy())
                .array("queues", stats.queues().stream().map(StatsJson::of).toList())
                .json("durability", durability.json())
                .toString();
    }

    public static String of(Stats.QueueStats queue) {
        return new JsonFields()
                .text("name", queue.name())
                .number("size", queue.size())
                .number("in_flight", queue.inFlight())
                .seconds("latency", queue.latencySeconds())
                .flag("paused", queue.isPaused())
                .flag("served", queue.isServed())
                .toString();
    }
}
