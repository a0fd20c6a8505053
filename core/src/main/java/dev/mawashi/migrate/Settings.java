package dev.mawashi.migrate;

import static dev.mawashi.redis.RedisConnection.ascii;
import static dev.mawashi.redis.RedisConnection.utf8;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// An operator's settings beside the jobs, which are copied where the second Redis has none: pauses
/// of queues and schedules; the last decided tick of each schedule, so that none comes twice or is
/// missed; the schedules of gems.
final class Settings {
    private final RedisConnection source;
    private final RedisConnection target;
    private final SequencedMap<String, Runnable> copies = new LinkedHashMap<>();

    private Settings(RedisConnection source, RedisConnection target) {
        this.source = source;
        this.target = target;
    }

    static Settings ofSidekiq(RedisConnection source, RedisConnection target) {
        Settings settings = new Settings(source, target);
        settings.set(Keys.PAUSED, "", "");
        settings.set(Keys.CRON_PAUSED, "", "");
        settings.hash(Keys.CRON, Keys.CRON);
        settings.hash(Keys.GEM_SCHEDULES, Keys.GEM_SCHEDULES);
        for (String set : Keys.GEM_CRON_SETS) {
            settings.copies.put(set, () -> settings.copyCronSet(set));
        }
        return settings;
    }

    /// @param there what the keys are in the second Redis
    static Settings ofResque(
            RedisConnection source, RedisConnection target, ResqueKeys keys, ResqueKeys there) {
        Settings settings = new Settings(source, target);
        settings.copies.put(
                keys.pauseAll(), () -> settings.copyString(keys.pauseAll(), there.pauseAll()));
        settings.set(Keys.CRON_PAUSED, keys.namespace() + ":", there.namespace() + ":");
        settings.hash(keys.cron(), there.cron());
        settings.hash(keys.lastEnqueued(), there.lastEnqueued());
        settings.copies.put(keys.persistentSchedules(), () -> settings.copySchedules(keys, there));
        return settings;
    }

    /// What copies each key, with all that it names.
    SequencedMap<String, Runnable> copies() {
        return copies;
    }

    private void hash(String key, String there) {
        copies.put(key, () -> copyHash(Keys.bytes(key), Keys.bytes(there)));
    }

    /// @param begin of those members that are copied
    /// @param there what they begin with in the second Redis
    private void set(String key, String begin, String there) {
        copies.put(key, () -> copySet(key, begin, there));
    }

    private void copySet(String key, String begin, String there) {
        for (byte[] member : strings(source.call("SMEMBERS", key))) {
            if (new String(member, StandardCharsets.UTF_8).startsWith(begin)) {
                byte[] rest = Arrays.copyOfRange(member, utf8(begin).length, member.length);
                target.call(ascii("SADD"), Keys.bytes(key), joined(utf8(there), rest));
            }
        }
    }

    private void copyString(String key, String there) {
        if (source.call("GET", key) instanceof byte[] value) {
            target.call(ascii("SET"), Keys.bytes(there), value, ascii("NX"));
        }
    }

    private void copyCronSet(String key) {
        for (byte[] member : strings(source.call("SMEMBERS", key))) {
            copyHash(member, member);
            copyTicks(member);
            target.call(ascii("SADD"), Keys.bytes(key), member);
        }
    }

    /// A scheduler that has begun there reads them anew.
    private void copySchedules(ResqueKeys keys, ResqueKeys there) {
        copyHash(Keys.bytes(keys.persistentSchedules()), Keys.bytes(there.persistentSchedules()));
        for (byte[] name : strings(source.call("HKEYS", keys.persistentSchedules()))) {
            target.call(ascii("SADD"), Keys.bytes(there.schedulesChanged()), name);
        }
    }

    private void copyHash(byte[] key, byte[] there) {
        List<byte[]> pairs = strings(source.call(ascii("HGETALL"), key));
        for (int i = 0; i < pairs.size(); i += 2) {
            target.call(ascii("HSETNX"), there, pairs.get(i), pairs.get(i + 1));
        }
    }

    /// The times for which a schedule of sidekiq-cron has enqueued its job.
    private void copyTicks(byte[] schedule) {
        byte[] key = joined(schedule, ascii(":enqueued"));
        List<byte[]> scored =
                strings(
                        source.call(
                                ascii("ZRANGE"),
                                key,
                                ascii("0"),
                                ascii("-1"),
                                ascii("WITHSCORES")));
        for (int i = 0; i < scored.size(); i += 2) {
            target.call(ascii("ZADD"), key, ascii("NX"), scored.get(i + 1), scored.get(i));
        }
    }

    private static byte[] joined(byte[] first, byte[] rest) {
        byte[] joined = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, joined, first.length, rest.length);
        return joined;
    }

    private static List<byte[]> strings(@Nullable Object reply) {
        List<byte[]> strings = new ArrayList<>();
        if (reply instanceof List<?> all) {
            all.forEach(one -> strings.add((byte[]) one));
        }
        return strings;
    }
}
