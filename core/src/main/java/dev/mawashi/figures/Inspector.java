package dev.mawashi.figures;

import dev.mawashi.fleet.ProcessInfo;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redisfacts.Durability;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.tables.QueueHeads;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reads figures and server facts from Redis, never whole lists or sets of jobs. One thread's.
public final class Inspector implements AutoCloseable {
    private static final int OLDEST_MAJOR = 7;

    /// Queues that are read in one go.
    private static final int TOGETHER = 50;

    /// What is asked of each of them.
    private static final int QUEUE_REPLIES = 5;

    private final RedisConnection connection;
    private final LimitedReads limited;
    private final QueueHeads heads;
    private final InstantSource clock;

    public Inspector(RedisConnection connection, InstantSource clock) {
        this.connection = connection;
        limited = new LimitedReads(connection);
        heads = new QueueHeads(connection, clock);
        this.clock = clock;
    }

    /// Redis's version, such as `7.0.15`, or Valkey's own.
    public String serverVersion() {
        String info = text(connection.call("INFO", "server"));
        for (String field : List.of("valkey_version:", "redis_version:")) {
            int at = info.indexOf(field);
            if (at >= 0) {
                return info.substring(at + field.length()).split("\\s", 2)[0];
            }
        }
        return "";
    }

    /// Why this Redis is too old for a server; "" where it is not, or where its version is no
    /// number.
    public String whyTooOld() {
        String version = serverVersion();
        String major = version.split("\\.", 2)[0];
        return major.matches("\\d{1,4}") && Integer.parseInt(major) < OLDEST_MAJOR
                ? "Redis is " + version + ", Mawashi needs Redis 7.0 or Valkey 7.2 or newer"
                : "";
    }

    /// Why its URL is no URL of this Redis; "" where it is.
    public String whyWrongUrl() {
        String isNode =
                serverFacts(List.of("cluster_enabled")).getOrDefault("cluster_enabled", "0");
        return isNode.startsWith("1") && !connection.isOfCluster()
                ? "Redis is a node of a Cluster: write redis+cluster:// in its URL"
                : "";
    }

    /// Some of what Redis reports of itself by `INFO`, by name; those that it does not report are
    /// missing.
    public Map<String, String> serverFacts(List<String> names) {
        Map<String, String> facts = new HashMap<>();
        for (String line : text(connection.call("INFO")).split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && names.contains(line.substring(0, colon))) {
                facts.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return facts;
    }

    /// What becomes of jobs when Redis dies or is full.
    public Durability durability() {
        return Durability.of(connection);
    }

    public Stats stats() {
        Collection<String> queues = new TreeSet<>(members(Keys.QUEUES));
        queues.addAll(members(Keys.SERVED_QUEUES));
        List<String> processes = members(Keys.PROCESSES);
        queue("GET", Keys.STAT_PROCESSED);
        queue("GET", Keys.STAT_FAILED);
        queue("ZCARD", Keys.SCHEDULE);
        queue("ZCARD", Keys.RETRY);
        queue("ZCARD", Keys.DEAD);
        List<@Nullable Object> totals = connection.flush();
        long live = 0;
        long busy = 0;
        Set<String> served = new HashSet<>();
        for (Map<String, byte[]> record :
                limited.hashes(
                        processes.stream().map(one -> Keys.bytes(Keys.process(one))).toList())) {
            live += record.containsKey("busy") ? 1 : 0;
            busy += number(record.get("busy"));
            JsonObject info = JsonObject.of(text(record.get("info")));
            served.addAll(ProcessInfo.of(info).queues());
        }
        List<Stats.QueueStats> rows = new ArrayList<>();
        List<String> names = List.copyOf(queues);
        for (int from = 0; from < names.size(); from += TOGETHER) {
            int end = Math.min(from + TOGETHER, names.size());
            rows.addAll(queueStats(names.subList(from, end), served));
        }
        return new Stats(
                number(totals.get(0)),
                number(totals.get(1)),
                number(totals.get(2)),
                number(totals.get(3)),
                number(totals.get(4)),
                live,
                busy,
                rows);
    }

    /// Reads some queues in a few round trips.
    private List<Stats.QueueStats> queueStats(List<String> names, Set<String> served) {
        for (String name : names) {
            queue("LLEN", Keys.queue(name));
            queue("LLEN", QueueLayout.SIDEKIQ.sharedArrivals(name));
            queue("LLEN", Keys.suspects(name));
            queue("ZRANGE", Keys.leases(name), "0", "-1");
            queue("SISMEMBER", Keys.PAUSED, name);
        }
        List<@Nullable Object> replies = connection.flush();
        List<List<String>> owners = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            owners.add(texts(replies.get(i * QUEUE_REPLIES + 3)));
        }
        List<Long> inFlight = new InFlightCounts(connection, QueueLayout.SIDEKIQ).of(names, owners);
        Map<String, byte[]> next = heads.of(withJobs(names, replies));
        List<Stats.QueueStats> rows = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            List<@Nullable Object> own =
                    replies.subList(i * QUEUE_REPLIES, (i + 1) * QUEUE_REPLIES);
            rows.add(
                    new Stats.QueueStats(
                            names.get(i),
                            number(own.get(0)) + number(own.get(1)) + number(own.get(2)),
                            inFlight.get(i),
                            latency(next.get(names.get(i))),
                            number(own.get(4)) > 0,
                            served.contains(names.get(i)),
                            !(own.get(0) instanceof RedisFailure)));
        }
        return rows;
    }

    /// Those of these queues that hold jobs for whoever comes.
    private static List<String> withJobs(List<String> names, List<@Nullable Object> replies) {
        List<String> some = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (number(replies.get(i * QUEUE_REPLIES)) > 0) {
                some.add(names.get(i));
            }
        }
        return some;
    }

    private double latency(byte @Nullable [] next) {
        if (next == null) {
            return 0;
        }
        try {
            String raw = Payload.parse(withoutBegin(next)).raw("enqueued_at");
            if (raw == null) {
                return 0;
            }
            double value = Double.parseDouble(raw);
            boolean isMillis = raw.indexOf('.') < 0 && raw.indexOf('e') < 0;
            double seconds = isMillis ? value / 1_000 : value;
            return Math.max(0, clock.instant().toEpochMilli() / 1_000.0 - seconds);
        } catch (MalformedPayload | NumberFormatException _) {
            // No job, or no time in it: nothing to report.
            return 0;
        }
    }

    /// Of a large job only the end was read. From the name on it is an object's end, as long as the
    /// name stands in the outermost one: in another it would close one bracket too many, and within
    /// a text the quotes would have backslashes before them.
    private static byte[] withoutBegin(byte[] payload) {
        if (payload.length > 0 && payload[0] == '{') {
            return payload;
        }
        String end = new String(payload, StandardCharsets.ISO_8859_1);
        int at = Math.max(0, end.lastIndexOf(",\"enqueued_at\":") + 1);
        return ("{" + end.substring(at)).getBytes(StandardCharsets.ISO_8859_1);
    }

    private List<String> members(String key) {
        return texts(connection.call("SMEMBERS", key));
    }

    private void queue(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = RedisConnection.utf8(words[i]);
        }
        connection.queue(command);
    }

    /// A number however Redis gives it; 0 for nothing, for what is none, and for a key of a wrong
    /// type.
    private static long number(@Nullable Object reply) {
        return switch (reply) {
            case Long value -> value;
            case byte[] digits -> parsed(new String(digits, StandardCharsets.UTF_8));
            case RedisFailure _ -> 0;
            case null, default -> 0;
        };
    }

    private static long parsed(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    private static List<String> texts(@Nullable Object reply) {
        List<String> texts = new ArrayList<>();
        if (reply instanceof List<?> values) {
            for (Object value : values) {
                texts.add(text(value));
            }
        }
        return texts;
    }

    /// Whether nobody claims from the queue for now.
    public boolean isPaused(String queue) {
        return Long.valueOf(1).equals(connection.call("SISMEMBER", Keys.PAUSED, queue));
    }

    @Override
    public void close() {
        connection.close();
    }
}
