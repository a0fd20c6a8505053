package dev.mawashi.redisfacts;

import dev.mawashi.wire.Json;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// What Redis says of itself as one JSON object, for programs.
public final class RedisFactsJson {
    private static final double NANOS_A_MILLI = 1e6;

    private RedisFactsJson() {}

    /// Bytes, seconds, and milliseconds of pings; what Redis refuses to tell is `{"refused":
    /// reason}`.
    public static String of(RedisFacts facts) {
        return String.format(
                Locale.ROOT,
                "{\"version\":%s,\"uptime_seconds\":%d,\"durability\":%s,\"memory\":%s,"
                        + "\"load\":%s,\"persistence\":%s,\"replication\":%s,\"ping_ms\":%s,"
                        + "\"keys\":%d,\"entries\":%s,\"largest\":%s,\"slow\":%s}",
                Json.quote(facts.version()),
                facts.uptimeSeconds(),
                facts.durability().json(),
                of(facts.memory()),
                of(facts.load()),
                of(facts.persistence()),
                of(facts.replication()),
                pings(facts),
                facts.allKeys(),
                list(
                        facts.keys(),
                        one ->
                                "{\"key\":%s,\"entries\":%d}"
                                        .formatted(Json.quote(one.key()), one.entries())),
                told(
                        facts.largest(),
                        one ->
                                "{\"key\":%s,\"bytes\":%d}"
                                        .formatted(Json.quote(one.key()), one.bytes())),
                told(
                        facts.slow(),
                        one ->
                                "{\"at\":%d,\"micros\":%d,\"command\":%s}"
                                        .formatted(
                                                one.at(),
                                                one.micros(),
                                                Json.quote(one.command()))));
    }

    private static String of(RedisFacts.Memory memory) {
        return String.format(
                Locale.ROOT,
                "{\"used\":%d,\"peak\":%d,\"resident\":%d,\"fragmentation\":%.2f}",
                memory.used(),
                memory.peak(),
                memory.resident(),
                memory.fragmentation());
    }

    private static String of(RedisFacts.Load load) {
        return String.format(
                Locale.ROOT,
                "{\"clients\":%d,\"blocked\":%d,\"clients_max\":%d,\"per_second\":%d,"
                        + "\"hits\":%d,\"misses\":%d,\"evicted\":%d}",
                load.clients(),
                load.blocked(),
                load.clientsMax(),
                load.perSecond(),
                load.hits(),
                load.misses(),
                load.evicted());
    }

    private static String of(RedisFacts.Persistence persistence) {
        return String.format(
                Locale.ROOT,
                "{\"last_save\":%d,\"unsaved\":%d,\"is_rewriting\":%b,\"troubles\":%s}",
                persistence.lastSave(),
                persistence.unsaved(),
                persistence.isRewriting(),
                list(persistence.troubles(), Json::quote));
    }

    private static String of(RedisFacts.Replication replication) {
        return String.format(
                Locale.ROOT,
                "{\"role\":%s,\"link\":%s,\"replicas\":%d}",
                Json.quote(replication.role()),
                Json.quote(replication.link()),
                replication.replicas());
    }

    private static String pings(RedisFacts facts) {
        return String.format(
                Locale.ROOT,
                "{\"min\":%.3f,\"median\":%.3f,\"max\":%.3f}",
                facts.pings().getFirst() / NANOS_A_MILLI,
                facts.medianPing() / NANOS_A_MILLI,
                facts.pings().getLast() / NANOS_A_MILLI);
    }

    private static <T> String told(RedisFacts.Told<List<T>> told, Function<T, String> form) {
        return told.value()
                .map(values -> list(values, form))
                .orElseGet(() -> "{\"refused\":" + Json.quote(told.refusal()) + "}");
    }

    private static <T> String list(List<T> values, Function<T, String> form) {
        return "[" + String.join(",", values.stream().map(form).toList()) + "]";
    }
}
