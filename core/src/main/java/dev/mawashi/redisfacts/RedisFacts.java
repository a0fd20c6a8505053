package dev.mawashi.redisfacts;

import dev.mawashi.wire.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The facts of a Redis that an operator wants: how durable it is, what it holds, how fast it is.
///
/// @param version such as `7.0.15`; of Valkey its own
/// @param uptimeSeconds since its start
/// @param durability what becomes of jobs when it dies or is full
/// @param pings how long it took to answer, several times, in nanoseconds, shortest first; at least
///   one
/// @param keys how many entries our keys have, by key; those that are none are left out
/// @param allKeys keys of its database, others' too; -1 where it refuses to say
/// @param largest memory of queues and sets, the largest first
/// @param slow its slow log, newest first
public record RedisFacts(
        String version,
        long uptimeSeconds,
        Durability durability,
        Memory memory,
        Load load,
        Persistence persistence,
        Replication replication,
        List<Long> pings,
        List<KeyCount> keys,
        long allKeys,
        Granted<List<KeyMemory>> largest,
        Granted<List<SlowCall>> slow) {
    private static final double NANOS_A_MILLI = 1e6;

    public RedisFacts {
        pings = List.copyOf(pings);
        keys = List.copyOf(keys);
    }

    /// A fact that Redis may refuse to report.
    ///
    /// @param value empty when it refuses
    /// @param refusal its reason; "" when it reports
    public record Granted<T>(Optional<T> value, String refusal) {
        static <T> Granted<T> of(T value) {
            return new Granted<>(Optional.of(value), "");
        }

        static <T> Granted<T> refused(String reason) {
            return new Granted<>(Optional.empty(), reason);
        }

        private static <T> String json(Granted<List<T>> granted, Function<T, String> form) {
            return granted.value()
                    .map(values -> JsonFields.array(values.stream().map(form).toList()))
                    .orElseGet(
                            () -> new JsonFields().text("refused", granted.refusal()).toString());
        }
    }

    /// Bytes, and how many times of what it uses it takes from the system.
    public record Memory(long used, long peak, long resident, double fragmentation) {
        private JsonFields json() {
            return new JsonFields()
                    .number("used", used)
                    .number("peak", peak)
                    .number("resident", resident)
                    .decimal("fragmentation", fragmentation, 2);
        }
    }

    /// @param hits reads of keys that were there, since its start
    /// @param misses reads of keys that were not: a look into an empty queue is one
    public record Load(
            long clients,
            long blocked,
            long clientsMax,
            long perSecond,
            long hits,
            long misses,
            long evicted) {
        /// The share of reads that found their key; -1 before the first.
        public double hitRate() {
            return hits + misses == 0 ? -1 : (double) hits / (hits + misses);
        }

        private JsonFields json() {
            return new JsonFields()
                    .number("clients", clients)
                    .number("blocked", blocked)
                    .number("clients_max", clientsMax)
                    .number("per_second", perSecond)
                    .number("hits", hits)
                    .number("misses", misses)
                    .number("evicted", evicted);
        }
    }

    /// @param lastSave seconds since 1970
    /// @param unsaved writes since then
    /// @param troubles what does not work of it
    public record Persistence(
            long lastSave, long unsaved, boolean isRewriting, List<String> troubles) {
        public Persistence {
            troubles = List.copyOf(troubles);
        }

        private JsonFields json() {
            return new JsonFields()
                    .number("last_save", lastSave)
                    .number("unsaved", unsaved)
                    .flag("is_rewriting", isRewriting)
                    .texts("troubles", troubles);
        }
    }

    /// @param role `master` or `slave`
    /// @param link to its master, `up` or `down`; "" for a master
    public record Replication(String role, String link, long replicas) {
        private JsonFields json() {
            return new JsonFields()
                    .text("role", role)
                    .text("link", link)
                    .number("replicas", replicas);
        }
    }

    /// The number of entries of a key.
    public record KeyCount(String key, long entries) {
        private String json() {
            return new JsonFields().text("key", key).number("entries", entries).toString();
        }
    }

    /// @param bytes estimated by some of its entries
    public record KeyMemory(String key, long bytes) {
        private String json() {
            return new JsonFields().text("key", key).number("bytes", bytes).toString();
        }
    }

    /// A call that was slow.
    ///
    /// @param at seconds since 1970
    /// @param micros that Redis took
    /// @param command and its key, where that is one of ours; never an argument, which may be a job
    public record SlowCall(long at, long micros, String command) {
        private String json() {
            return new JsonFields()
                    .number("at", at)
                    .number("micros", micros)
                    .text("command", command)
                    .toString();
        }
    }

    /// For programs, the same on the command line and over HTTP: bytes, seconds, and milliseconds
    /// of pings; what Redis refuses to report is `{"refused": reason}`.
    public String json() {
        return new JsonFields()
                .text("version", version)
                .number("uptime_seconds", uptimeSeconds)
                .json("durability", durability.json())
                .object("memory", memory.json())
                .object("load", load.json())
                .object("persistence", persistence.json())
                .object("replication", replication.json())
                .object("ping_ms", pingsJson())
                .number("keys", allKeys)
                .array("entries", keys.stream().map(KeyCount::json).toList())
                .json("largest", Granted.json(largest, KeyMemory::json))
                .json("slow", Granted.json(slow, SlowCall::json))
                .toString();
    }

    private JsonFields pingsJson() {
        return new JsonFields()
                .decimal("min", pings.getFirst() / NANOS_A_MILLI, 3)
                .decimal("median", medianPing() / NANOS_A_MILLI, 3)
                .decimal("max", pings.getLast() / NANOS_A_MILLI, 3);
    }

    /// Nanoseconds of the ping in the middle.
    public long medianPing() {
        return pings.get(pings.size() / 2);
    }
}
