package dev.mawashi.broker;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The schedules of the gem sidekiq-scheduler in Redis, for people to see and to act on. One
/// thread's. The gem's own code writes them (`redis_manager.rb` in its sources).
public final class GemSchedulerTable {
    private static final int KEYS_PER_CALL = 1_000;

    private final RedisConnection connection;

    /// A schedule.
    ///
    /// @param place key of the hash that has it
    /// @param zone of lines that name none; empty when it is not known
    /// @param entry what the gem has written of it: a JSON object, if it is sound
    /// @param state what has been changed by hand: a JSON object; empty for nothing
    /// @param next as the gem has noted its next time; empty when no process has loaded it
    public record Entry(
            String place, String name, String zone, String entry, String state, String next) {}

    public GemSchedulerTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// All of them by their names. A place that cannot be read hides no other.
    public List<Entry> all() {
        Map<String, String> places = new TreeMap<>(Map.of(Keys.GEM_SCHEDULES, ""));
        RedisCalls.queue(connection, "HGETALL", Keys.CRON_SCHEDULER);
        fields(connection.flush().getFirst())
                .forEach((place, zone) -> {
                    if (place.endsWith(Keys.GEM_SCHEDULES)) {
                        places.put(place, zone);
                    }
                });
        List<Entry> all = new ArrayList<>();
        places.forEach((place, zone) -> all.addAll(in(place, zone)));
        return all;
    }

    private List<Entry> in(String place, String zone) {
        RedisCalls.queue(connection, "HGETALL", place);
        RedisCalls.queue(connection, "HGETALL", Keys.gemScheduler(place, "states"));
        RedisCalls.queue(connection, "HGETALL", Keys.gemScheduler(place, "next_times"));
        Iterator<@Nullable Object> replies = connection.flush().iterator();
        Map<String, String> entries = fields(replies.next());
        Map<String, String> states = fields(replies.next());
        Map<String, String> next = fields(replies.next());
        return entries.entrySet().stream()
                .map(entry ->
                        new Entry(
                                place,
                                entry.getKey(),
                                zone,
                                entry.getValue(),
                                states.getOrDefault(entry.getKey(), ""),
                                next.getOrDefault(entry.getKey(), "")))
                .toList();
    }

    /// None of a key of another type.
    private static Map<String, String> fields(@Nullable Object reply) {
        Map<String, String> fields = new TreeMap<>();
        if (reply instanceof RedisFailure failure && !failure.isOfOneCommand()) {
            throw failure;
        }
        if (reply instanceof List<?> pairs) {
            for (int i = 0; i + 1 < pairs.size(); i += 2) {
                if (pairs.get(i) instanceof byte[] name
                        && pairs.get(i + 1) instanceof byte[] value) {
                    fields.put(
                            new String(name, StandardCharsets.UTF_8),
                            new String(value, StandardCharsets.UTF_8));
                }
            }
        }
        return fields;
    }

    /// The last times at which each of these was enqueued, in seconds since 1970, the newest first.
    ///
    /// @param most of each
    public Map<Entry, List<String>> times(List<Entry> entries, int most) {
        Map<Entry, List<String>> times = new HashMap<>();
        String last = Integer.toString(most - 1);
        for (int from = 0; from < entries.size(); from += KEYS_PER_CALL) {
            List<Entry> some =
                    entries.subList(from, Math.min(entries.size(), from + KEYS_PER_CALL));
            for (Entry entry : some) {
                String marks = Keys.gemScheduler(entry.place(), "pushed:" + entry.name());
                RedisCalls.queue(connection, "ZRANGE", marks, "0", last, "REV");
            }
            Iterator<@Nullable Object> replies = connection.flush().iterator();
            for (Entry entry : some) {
                // A key of another type hides this one's times alone.
                times.put(
                        entry,
                        replies.next() instanceof List<?> members
                                ? Replies.texts(members)
                                : List.of());
            }
        }
        return times;
    }

    /// Does what the gem's tab does.
    public void enable(Entry entry, boolean isEnabled) {
        String state = "{\"enabled\":" + isEnabled + "}";
        String states = Keys.gemScheduler(entry.place(), "states");
        long _ = RedisCalls.number(connection.call("HSET", states, entry.name(), state));
    }
}
