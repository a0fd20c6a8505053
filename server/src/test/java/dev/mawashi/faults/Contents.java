package dev.mawashi.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mawashi.redis.KeyScan;
import dev.mawashi.redis.RedisConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which jobs are where in a Redis.
final class Contents {
    private static final Pattern JID = Pattern.compile("\"jid\":\"(\\w+)\"");
    private static final Pattern PLACE = Pattern.compile("queue:.*|mw:.*|retry|schedule|dead");

    private final RedisConnection connection;

    Contents(RedisConnection connection) {
        this.connection = connection;
    }

    /// Of all places where a job can be.
    Checker.Left left() {
        Map<String, Integer> places = new HashMap<>();
        Set<String> failed = new HashSet<>();
        for (String key : keys("*")) {
            if (PLACE.matcher(key).matches()) {
                List<String> jids = jids(members(key));
                jids.forEach(jid -> places.merge(jid, 1, Integer::sum));
                if (key.equals("retry") || key.equals("dead")) {
                    failed.addAll(jids);
                }
            }
        }
        return new Checker.Left(places, failed);
    }

    /// What a process of Mawashi may run: claimed and not settled, or arrived there.
    Set<String> inHandsOf(long pid) {
        Set<String> jids = new HashSet<>();
        // First, since jobs go from here to what is in flight.
        for (String key : keys("mw:{queue:*}:arrivals:*")) {
            if (key.contains(":" + pid + ":")) {
                jids.addAll(jids(texts("LRANGE", key, "0", "-1")));
            }
        }
        for (String key : keys("mw:{queue:*}:inflight:*")) {
            if (key.contains(":" + pid + ":")) {
                jids.addAll(jids(texts("HVALS", key)));
            }
        }
        return jids;
    }

    private Set<String> keys(String pattern) {
        return new KeyScan(connection, pattern).all();
    }

    private List<String> members(String key) {
        Object type = connection.call("TYPE", key);
        return switch (text(type)) {
            case "list" -> texts("LRANGE", key, "0", "-1");
            case "hash" -> texts("HVALS", key);
            case "zset" -> texts("ZRANGE", key, "0", "-1");
            default -> List.of();
        };
    }

    private static List<String> jids(List<String> payloads) {
        return payloads.stream()
                .map(JID::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .toList();
    }

    List<String> texts(String... command) {
        List<String> texts = new ArrayList<>();
        if (connection.call(command) instanceof List<?> replies) {
            replies.forEach(reply -> texts.add(text(reply)));
        }
        return texts;
    }

    static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, ISO_8859_1) : "" + reply;
    }
}
