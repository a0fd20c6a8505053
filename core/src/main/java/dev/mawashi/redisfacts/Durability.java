package dev.mawashi.redisfacts;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonFields;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The fate of jobs when Redis dies, or is full: how it writes them down, to how many replicas, and
/// what it does when its memory is used up.
///
/// A managed Redis may refuse `CONFIG`; then some of these facts are not known.
///
/// @param replicas connected ones
/// @param replicasNeeded without which Redis refuses to write; null when that is not known
/// @param eviction policy by its name; empty when Redis does not report it
/// @param maxmemory bytes; 0 for no limit, null when Redis does not report it
public record Durability(
        Grade grade,
        long replicas,
        @Nullable Long replicasNeeded,
        String eviction,
        @Nullable Long maxmemory) {
    private static final String KEEPS_ALL = "noeviction";

    /// The ways in which Redis writes down what it has, from the weakest to the strongest.
    public enum Grade {
        /// Nothing is written.
        MEMORY("D0", "memory only: its end loses everything"),
        /// No log; whether it takes snapshots is not known.
        NO_AOF("D0 or D1", "no AOF, and CONFIG GET is refused, so snapshots are not known"),
        /// The whole of it, now and then.
        RDB("D1", "RDB snapshots: its end loses what came since the last one"),
        /// A log that the system writes to the disk when it likes.
        AOF_NO("D1", "AOF that is never flushed: its machine's end loses up to 30 s"),
        /// A log; how often it is flushed is not known.
        AOF("D1 to D3", "AOF, and CONFIG GET is refused, so how often it is flushed is not known"),
        /// A log that is flushed each second.
        AOF_EVERYSEC("D2", "AOF everysec: its machine's end loses the last second or two"),
        /// A log that is flushed before Redis answers.
        AOF_ALWAYS("D3", "AOF always: nothing that it has acknowledged is lost");

        private final String level;
        private final String meaning;

        Grade(String level, String meaning) {
            this.level = level;
            this.meaning = meaning;
        }

        /// `D0` to `D3`, or the span where it is not known.
        public String level() {
            return level;
        }

        /// What is lost, in words.
        public String meaning() {
            return meaning;
        }

        /// Whether the end of the machine is known to lose two seconds at most.
        public boolean isFlushed() {
            return compareTo(AOF_EVERYSEC) >= 0;
        }
    }

    /// Asks Redis.
    ///
    /// @throws RedisFailure when it does not answer, or refuses `INFO`
    public static Durability of(RedisConnection connection) {
        return of(ServerInfo.of(connection), connection);
    }

    /// Asks Redis for what `INFO` does not report.
    static Durability of(ServerInfo info, RedisConnection connection) {
        Map<String, String> config = new HashMap<>();
        for (String name : List.of("appendonly", "appendfsync", "save", "min-replicas-to-write")) {
            connection.queue(
                    RedisConnection.ascii("CONFIG"),
                    RedisConnection.ascii("GET"),
                    RedisConnection.ascii(name));
        }
        for (Object reply : connection.flush()) {
            if (reply instanceof List<?> pair && pair.size() == 2) {
                config.put(text(pair.get(0)), text(pair.get(1)));
            }
        }
        return new Durability(
                grade(info, config),
                info.count("connected_slaves"),
                number(config.get("min-replicas-to-write")),
                info.text("maxmemory_policy"),
                info.number("maxmemory"));
    }

    private static Grade grade(ServerInfo info, Map<String, String> config) {
        if (info.text("aof_enabled").equals("1")) {
            return switch (config.getOrDefault("appendfsync", "")) {
                case "always" -> Grade.AOF_ALWAYS;
                case "everysec" -> Grade.AOF_EVERYSEC;
                case "no" -> Grade.AOF_NO;
                default -> Grade.AOF;
            };
        }
        String save = config.get("save");
        if (save == null) {
            return Grade.NO_AOF;
        }
        return save.isEmpty() ? Grade.MEMORY : Grade.RDB;
    }

    private static @Nullable Long number(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    /// Whether Redis would rather refuse a new job than throw away another one. True also where
    /// Redis does not report its policy.
    public boolean keepsAll() {
        return eviction.isEmpty() || eviction.equals(KEEPS_ALL);
    }

    /// Whether it would throw jobs away if it were full now.
    public boolean mayEvict() {
        return !keepsAll() && (maxmemory == null || maxmemory > 0);
    }

    /// Why jobs that must not be lost are not to be entrusted to this Redis, and the remedy; null
    /// when nothing speaks against it.
    ///
    /// Any policy that evicts counts, also where no limit is set: a limit can be set at any time,
    /// and nobody would report it to the server.
    public @Nullable String objection() {
        if (!grade.isFlushed()) {
            return "Redis has grade "
                    + grade.level()
                    + " ("
                    + grade.meaning
                    + "): "
                    + (grade == Grade.AOF
                            ? "let this user call CONFIG GET"
                            : "set appendonly yes and appendfsync everysec");
        }
        return eviction.equals(KEEPS_ALL)
                ? null
                : "Redis throws jobs away when it is full (maxmemory-policy "
                        + (eviction.isEmpty() ? "not known" : eviction)
                        + "): set it to noeviction";
    }

    /// How to lose less; "" where nothing is left to gain.
    public String remedy() {
        return switch (grade) {
            case MEMORY, RDB, NO_AOF -> "appendonly yes, with appendfsync everysec or always";
            case AOF_NO -> "appendfsync everysec, or always";
            case AOF -> "CONFIG GET for this user, to know it";
            case AOF_EVERYSEC -> "appendfsync always, or replicas and min-replicas-to-write";
            case AOF_ALWAYS -> "";
        };
    }

    /// One line for the log.
    public String describe() {
        return "grade "
                + grade.level()
                + ", "
                + grade.meaning
                + "; "
                + (replicas == 1 ? "1 replica" : replicas + " replicas")
                + (replicasNeeded == null || replicasNeeded == 0
                        ? ""
                        : ", " + replicasNeeded + " needed for a write")
                + "; maxmemory-policy "
                + (eviction.isEmpty() ? "not known" : eviction)
                + (maxmemory == null || maxmemory == 0 ? "" : " at " + maxmemory + " bytes");
    }

    /// As one JSON object; what is `null` is not known.
    public String json() {
        return new JsonFields()
                .text("grade", grade.level())
                .text("persistence", grade.name().toLowerCase(Locale.ROOT))
                .number("replicas", replicas)
                .json("min_replicas", "" + replicasNeeded)
                .known("eviction", eviction)
                .json("maxmemory", "" + maxmemory)
                .toString();
    }
}
