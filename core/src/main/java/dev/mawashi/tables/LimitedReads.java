package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what others may have made large, in limits of bytes: a payload may have 16 MiB and more,
/// and whoever looks has little memory beside jobs. One thread's.
public final class LimitedReads {
    private static final Script HASH = Script.beside(LimitedReads.class, "hash.lua");
    private static final Script TEXT = Script.beside(LimitedReads.class, "text.lua");

    private static final Script PART = Script.beside(LimitedReads.class, "part.lua");
    private static final Script SCORED = Script.beside(LimitedReads.class, "scored.lua");
    private static final Script SCAN = Script.beside(LimitedReads.class, "scan.lua");

    /// Most bytes of a part.
    public static final int PART_BYTES_MAX = 4 << 20;

    private static final byte[] PART_MAX = ascii("" + PART_BYTES_MAX);

    /// Most bytes of a value of a hash.
    private static final int VALUE_BYTES_MAX = 256 << 10;

    /// Most bytes of a hash.
    private static final int HASH_BYTES_MAX = 2 << 20;

    /// Most bytes of all; hashes that come later are left out.
    private static final int BYTES_MAX = 8 << 20;

    /// Hashes in one round trip.
    private static final int TOGETHER = 200;

    private static final byte[] VALUE_MAX = ascii("" + VALUE_BYTES_MAX);

    /// Most bytes of a hash that is read with others; a larger one is read again, alone.
    private static final byte[] SHARE_MAX = ascii("" + (32 << 10));

    private static final int TEXTS_TOGETHER = 50;

    private final RedisConnection connection;

    public LimitedReads(RedisConnection connection) {
        this.connection = connection;
    }

    /// Reads hashes. In place of a value that is too large stands a text that says so.
    ///
    /// @return for each its fields; none for a key of a wrong type
    public List<Map<String, byte[]>> hashes(List<byte[]> keys) {
        List<Map<String, byte[]>> hashes = new ArrayList<>();
        long left = BYTES_MAX;
        for (int from = 0; from < keys.size(); from += TOGETHER) {
            List<byte[]> some = keys.subList(from, Math.min(from + TOGETHER, keys.size()));
            some.forEach(this::queueHash);
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < some.size(); i++) {
                Object reply = replies.get(i);
                if (reply instanceof List<?> flat && flat.size() % 2 == 1) {
                    reply = large(some.get(i), Math.clamp(left, 0, HASH_BYTES_MAX));
                }
                Map<String, byte[]> hash = hash(reply);
                hashes.add(hash);
                left -= hash.values().stream().mapToLong(value -> value.length).sum();
            }
        }
        return hashes;
    }

    private void queueHash(byte[] key) {
        connection.queueEval(HASH, List.of(key), List.of(VALUE_MAX, SHARE_MAX));
    }

    private @Nullable Object large(byte[] key, int bytes) {
        return connection.eval(HASH, List.of(key), List.of(VALUE_MAX, ascii("" + bytes)));
    }

    private static Map<String, byte[]> hash(@Nullable Object reply) {
        if (reply instanceof RedisFailure refusal && !refusal.code().equals("WRONGTYPE")) {
            throw refusal;
        }
        Map<String, byte[]> hash = new HashMap<>();
        if (reply instanceof List<?> flat) {
            for (int i = 0; i + 1 < flat.size(); i += 2) {
                String field = new String((byte[]) flat.get(i), StandardCharsets.UTF_8);
                hash.put(field, value(flat.get(i + 1)));
            }
        }
        return hash;
    }

    private static byte[] value(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes : tooLarge(value);
    }

    private static byte[] tooLarge(@Nullable Object size) {
        return ascii(size + " bytes, too many to be shown");
    }

    /// Reads strings as `hashes` reads values; null for none, and for a key of a wrong type.
    public List<byte @Nullable []> texts(List<byte[]> keys) {
        List<byte @Nullable []> texts = new ArrayList<>();
        long left = BYTES_MAX;
        for (int from = 0; from < keys.size(); from += TEXTS_TOGETHER) {
            byte[] most = ascii("" + Math.clamp(left / TEXTS_TOGETHER, 0, VALUE_BYTES_MAX));
            keys.subList(from, Math.min(from + TEXTS_TOGETHER, keys.size()))
                    .forEach(key -> connection.queueEval(TEXT, List.of(key), List.of(most)));
            for (Object reply : connection.flush()) {
                boolean isThere = reply instanceof byte[] || reply instanceof Long;
                byte[] text = isThere ? value(reply) : null;
                left -= text == null ? 0 : text.length;
                texts.add(text);
            }
        }
        return texts;
    }

    /// The end of a list at which it begins to read.
    public enum Side {
        LEFT,
        RIGHT
    }

    /// Reads a part of a list, from one of its ends on: fewer entries than wanted where they are
    /// large, but one at least.
    ///
    /// @param passed entries that it passes over first
    public List<byte[]> part(byte[] list, Side side, long passed, int most) {
        return entries(
                connection.eval(
                        PART,
                        List.of(list),
                        part(side == Side.LEFT ? "left" : "right", passed, most)));
    }

    /// A part of a sorted set. Each bound is a score as `ZCOUNT` takes it, `(` before it for one
    /// that does not count itself, or empty.
    ///
    /// @param place before which entries are passed over, and so many more
    /// @param from bound before the first entry that is wanted
    /// @param to bound behind the last one
    public record Span(String place, long passed, String from, String to) {
        /// Those of one score behind so many.
        public static Span of(String score, long passed) {
            return new Span("(" + score, passed, "", score);
        }
    }

    /// Reads a part of a sorted set in the same way.
    ///
    /// @return the entries, each with its score behind it
    public List<byte[]> scored(byte[] set, boolean isFalling, long passed, int most) {
        return scored(set, isFalling, new Span("", passed, "", ""), most);
    }

    public List<byte[]> scored(byte[] set, boolean isFalling, Span span, int most) {
        List<byte[]> args = new ArrayList<>(part(isFalling ? "down" : "up", span.passed(), most));
        args.addAll(List.of(ascii(span.place()), ascii(span.from()), ascii(span.to())));
        return entries(connection.eval(SCORED, List.of(set), args));
    }

    private static List<byte[]> part(String way, long passed, int most) {
        return List.of(ascii(way), ascii("" + passed), ascii("" + most), PART_MAX);
    }

    private static List<byte[]> entries(@Nullable Object reply) {
        return reply instanceof List<?> all
                ? all.stream().map(one -> (byte[]) one).toList()
                : List.of();
    }

    /// A step of a scan.
    ///
    /// @param cursor of the next one; "0" after the last
    /// @param pairs entries with their scores, or fields with their values
    /// @param count how many it was to look at: fewer where they are large
    public record Step(String cursor, List<byte[]> pairs, int count) {}

    public Step scanSet(byte[] set, String cursor, int count, byte @Nullable [] pattern) {
        return scan("set", set, cursor, count, pattern);
    }

    public Step scanHash(byte[] hash, String cursor, int count) {
        return scan("hash", hash, cursor, count, null);
    }

    private Step scan(
            String kind, byte[] key, String cursor, int count, byte @Nullable [] pattern) {
        int some = count;
        while (true) {
            List<byte[]> args =
                    new ArrayList<>(
                            List.of(ascii(kind), ascii(cursor), ascii("" + some), PART_MAX));
            if (pattern != null) {
                args.add(pattern);
            }
            if (connection.eval(SCAN, List.of(key), args) instanceof List<?> reply
                    && reply.size() == 2) {
                String next = new String((byte[]) reply.get(0), StandardCharsets.US_ASCII);
                return new Step(next, entries(reply.get(1)), some);
            }
            some = Math.max(1, some / 8);
        }
    }
}
