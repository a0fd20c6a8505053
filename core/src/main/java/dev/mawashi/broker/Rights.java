package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The rights that a server's Redis user needs. Without them some jobs do not run, are not settled,
/// or are not recovered after a crash.
///
/// Redis checks a command when it takes it into a transaction. So all of them are sent in one that
/// is never executed: the connection is closed instead.
public final class Rights {
    private static final String NO_PERMISSION = "NOPERM";

    /// Each as it might be sent.
    private static final List<String> COMMANDS =
            List.of(
                    "EVAL 0 0",
                    "EVALSHA 0 0",
                    "TIME",
                    "DEL mw:k",
                    "UNLINK mw:k",
                    "EXPIRE mw:k 1",
                    "PEXPIRE mw:k 1",
                    "TTL mw:k",
                    "EXISTS mw:k",
                    "GET mw:k",
                    "SET mw:k v",
                    "INCR mw:k",
                    "INCRBY mw:k 1",
                    "SADD mw:k m",
                    "SREM mw:k m",
                    "SMEMBERS mw:k",
                    "SISMEMBER mw:k m",
                    "HSET mw:k f v",
                    "HGET mw:k f",
                    "HMGET mw:k f",
                    "HDEL mw:k f",
                    "HLEN mw:k",
                    "HSTRLEN mw:k f",
                    "HKEYS mw:k",
                    "HEXISTS mw:k f",
                    "HINCRBY mw:k f 1",
                    "LPUSH mw:k v",
                    "RPUSH mw:k v",
                    "RPOP mw:k",
                    "LMOVE mw:k mw:k LEFT LEFT",
                    "BLMOVE mw:k mw:k LEFT LEFT 1",
                    "LLEN mw:k",
                    "LINDEX mw:k 0",
                    "LRANGE mw:k 0 0",
                    "LPOS mw:k v",
                    "LREM mw:k 1 v",
                    "LTRIM mw:k 0 0",
                    "ZADD mw:k 1 m",
                    "ZREM mw:k m",
                    "ZSCORE mw:k m",
                    "ZMSCORE mw:k m",
                    "ZCARD mw:k",
                    "ZCOUNT mw:k 0 0",
                    "ZRANGE mw:k 0 0",
                    "ZRANGEBYSCORE mw:k 0 0",
                    "ZREMRANGEBYSCORE mw:k 0 0",
                    "ZREMRANGEBYRANK mw:k 0 0",
                    "ZUNION 1 mw:k");

    private static final List<String> KEYS =
            List.of(
                    "mw:*",
                    "queues",
                    "queue:*",
                    "schedule",
                    "retry",
                    "dead",
                    "processes",
                    "stat:*");

    private Rights() {}

    /// The commands, in lower case.
    static List<String> commands() {
        return COMMANDS.stream().map(Rights::name).toList();
    }

    private static String name(String command) {
        return command.split(" ", 2)[0].toLowerCase(Locale.ROOT);
    }

    /// What this user lacks of it, as `ACL SETUSER` takes it: `+ttl`, `~queue:*`. Empty also where
    /// Redis cannot be asked.
    ///
    /// @param connection closed afterwards
    /// @param prefix that it puts before keys; "" for none
    public static List<String> missing(RedisConnection connection, String prefix) {
        return missing(connection).stream()
                .map(right -> right.startsWith("~") ? "~" + prefix + right.substring(1) : right)
                .toList();
    }

    static List<String> missing(RedisConnection connection) {
        try (connection) {
            List<String> missing = new ArrayList<>();
            // Without a transaction the rest would be executed.
            connection.call("MULTI");
            KEYS.forEach(key -> queue(connection, "LLEN " + key));
            List<@Nullable Object> keys = connection.flush();
            for (int i = 0; i < keys.size(); i++) {
                if (isRefused(keys.get(i))) {
                    missing.add("~" + KEYS.get(i));
                }
            }
            if (missing.size() == KEYS.size()) {
                missing.clear();
                missing.add("+llen");
            }
            COMMANDS.forEach(command -> queue(connection, command));
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < replies.size() && !missing.contains("~mw:*"); i++) {
                if (isRefused(replies.get(i))) {
                    missing.add("+" + name(COMMANDS.get(i)));
                }
            }
            return missing.stream().distinct().toList();
        } catch (RedisFailure failure) {
            return failure.code().equals(NO_PERMISSION) ? List.of("+multi") : List.of();
        }
    }

    private static void queue(RedisConnection connection, String command) {
        String[] words = command.split(" ", -1);
        byte[][] sent = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            sent[i] = RedisConnection.utf8(words[i]);
        }
        connection.queue(sent);
    }

    private static boolean isRefused(@Nullable Object reply) {
        return reply instanceof RedisFailure failure && failure.code().equals(NO_PERMISSION);
    }
}
