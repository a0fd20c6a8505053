package dev.mawashi.inspect;

import dev.mawashi.wire.JsonFields;
import java.util.Locale;

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
                .json("durability", of(durability))
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

    /// What is `null` is not known.
    public static String of(Durability durability) {
        return new JsonFields()
                .text("grade", durability.grade().level())
                .text("persistence", durability.grade().name().toLowerCase(Locale.ROOT))
                .number("replicas", durability.replicas())
                .json("min_replicas", "" + durability.replicasNeeded())
                .known("eviction", durability.eviction())
                .json("maxmemory", "" + durability.maxmemory())
                .toString();
    }
}
