package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The schedules of the gems sidekiq-cron and resque-scheduler in Redis, for people to see and to
/// act on. One thread's.
///
/// The gem's own code writes them, and enqueues their jobs in a process of the app.
public final class GemCronTable {
    /// Fields of a schedule that are read.
    public static final List<String> FIELDS =
            List.of("cron", "klass", "description", "message", "status", "active_job");

    private static final int KEYS_PER_CALL = 1_000;
    private static final Script STATUS = Script.beside(GemCronTable.class, "gem_status.lua");

    private final RedisConnection connection;

    public GemCronTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// The fields of all schedules by their keys. What cannot be read hides no other.
    public Map<String, Map<String, String>> all() {
        TreeSet<String> keys = new TreeSet<>();
        TreeSet<String> sets = new TreeSet<>(Keys.GEM_CRON_SETS);
        sets.addAll(members(Keys.CRON_GEM));
        sets.forEach(set -> keys.addAll(members(set)));
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        List<String> list = List.copyOf(keys);
        for (int from = 0; from < list.size(); from += KEYS_PER_CALL) {
            read(list.subList(from, Math.min(list.size(), from + KEYS_PER_CALL)), all);
        }
        return all;
    }

    /// The schedules of resque-scheduler that servers have, as JSON, by Resque's namespaces.
    public Map<String, String> resque() {
        Map<String, String> all = new LinkedHashMap<>();
        List<String> namespaces = List.copyOf(new TreeSet<>(members(Keys.CRON_RESQUE)));
        namespaces.forEach(name -> RedisCalls.queue(connection, "GET", Keys.cronResque(name)));
        Iterator<@Nullable Object> replies = connection.flush().iterator();
        for (String namespace : namespaces) {
            // A key of another type hides this namespace's schedules alone.
            if (replies.next() instanceof byte[] text) {
                all.put(namespace, new String(text, StandardCharsets.UTF_8));
            }
        }
        return all;
    }

    private List<String> members(String set) {
        try {
            return Replies.texts(connection.call("SMEMBERS", set));
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            return List.of();
        }
    }

    private void read(List<String> keys, Map<String, Map<String, String>> all) {
        for (String key : keys) {
            List<String> command = new ArrayList<>(List.of("HMGET", key));
            command.addAll(FIELDS);
            RedisCalls.queue(connection, command.toArray(String[]::new));
        }
        Iterator<@Nullable Object> replies = connection.flush().iterator();
        for (String key : keys) {
            Map<String, String> fields = fields(replies.next());
            if (!fields.isEmpty()) {
                all.put(key, fields);
            }
        }
    }

    private static Map<String, String> fields(@Nullable Object reply) {
        Map<String, String> fields = new HashMap<>();
        if (reply instanceof List<?> values) {
            for (int i = 0; i < FIELDS.size(); i++) {
                if (values.get(i) instanceof byte[] value) {
                    fields.put(FIELDS.get(i), new String(value, StandardCharsets.UTF_8));
                }
            }
        }
        return fields;
    }

    /// What the gem has noted of a schedule's last runs, the newest first.
    public List<String> runs(String key) {
        return Replies.texts(connection.call("LRANGE", Keys.gemCronRuns(key), "0", "99"));
    }

    /// The note of the last run of each of these that has one.
    public Map<String, String> lastRuns(List<String> keys) {
        Map<String, String> last = new HashMap<>();
        for (int from = 0; from < keys.size(); from += KEYS_PER_CALL) {
            int to = Math.min(keys.size(), from + KEYS_PER_CALL);
            List<String> some = keys.subList(from, to);
            some.forEach(key -> RedisCalls.queue(connection, "LINDEX", Keys.gemCronRuns(key), "0"));
            Iterator<@Nullable Object> replies = connection.flush().iterator();
            for (String key : some) {
                if (replies.next() instanceof byte[] note) {
                    last.put(key, new String(note, StandardCharsets.UTF_8));
                }
            }
        }
        return last;
    }

    /// Does what the gem's `enable!` or `disable!` does. One that is gone stays so.
    ///
    /// @return whether that changes anything
    public boolean enable(String key, boolean isEnabled) {
        connection.queueEval(
                STATUS,
                List.of(Keys.bytes(key)),
                List.of(ascii(isEnabled ? "enabled" : "disabled")));
        return RedisCalls.number(RedisCalls.flush(connection).getFirst()) == 1;
    }
}
