package dev.mawashi.api;

import dev.mawashi.desk.Desks;
import dev.mawashi.figures.Stats;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Route;
import dev.mawashi.wire.JsonFields;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The figures as Sidekiq's page gives them to monitors, field for field (Sidekiq 6.4.1,
/// `web/application.rb`): at `/stats`, and where apps put that page, below `/sidekiq`.
final class SidekiqStats {
    private static final List<String> REDIS =
            List.of(
                    "redis_version",
                    "uptime_in_days",
                    "connected_clients",
                    "used_memory_human",
                    "used_memory_peak_human");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    private final Desks desks;
    private final InstantSource clock;

    SidekiqStats(Desks desks, InstantSource clock) {
        this.desks = desks;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Reads.route("/stats", Set.of(), _ -> stats()),
                Reads.route("/stats/queues", Set.of(), _ -> queues()),
                Reads.route("/sidekiq/stats", Set.of(), _ -> stats()),
                Reads.route("/sidekiq/stats/queues", Set.of(), _ -> queues()));
    }

    private Answer stats() {
        record Read(Stats stats, Map<String, String> facts) {}
        Read read =
                desks.read(desk ->
                        new Read(desk.inspector().stats(), desk.inspector().serverFacts(REDIS)));
        JsonFields redis = new JsonFields();
        REDIS.forEach(name -> redis.known(name, read.facts().get(name)));
        return Answer.json(
                200,
                new JsonFields()
                        .json("sidekiq", figures(read.stats()))
                        .json("redis", redis.toString())
                        .text("server_utc_time", TIME.format(clock.instant()))
                        .toString());
    }

    private static String figures(Stats stats) {
        return new JsonFields()
                .number("processed", stats.processed())
                .number("failed", stats.failed())
                .number("busy", stats.busy())
                .number("processes", stats.processes())
                .number("enqueued", stats.enqueued())
                .number("scheduled", stats.scheduled())
                .number("retries", stats.retries())
                .number("dead", stats.dead())
                .seconds("default_latency", defaultLatency(stats))
                .toString();
    }

    private static double defaultLatency(Stats stats) {
        return stats.queues().stream()
                .filter(queue -> queue.name().equals("default"))
                .mapToDouble(Stats.QueueStats::latencySeconds)
                .findFirst()
                .orElse(0);
    }

    private Answer queues() {
        JsonFields sizes = new JsonFields();
        desks.read(desk -> desk.inspector().stats()).queues().stream()
                .sorted(Comparator.comparingLong(Stats.QueueStats::size).reversed())
                .forEach(queue -> sizes.number(queue.name(), queue.size()));
        return Answer.json(200, sizes.toString());
    }
}
