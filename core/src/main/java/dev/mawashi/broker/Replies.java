package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Redis's answers as what they are known to be. A refusal is thrown.
final class Replies {
    private Replies() {}

    static int number(@Nullable Object reply) {
        if (reply instanceof Long value) {
            return value.intValue();
        }
        throw refusal(reply);
    }

    static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> values) {
            return values;
        }
        throw refusal(reply);
    }

    /// What is thrown for an answer that is not what it is known to be.
    static RuntimeException refusal(@Nullable Object reply) {
        return reply instanceof RedisFailure refusal
                ? refusal
                : new IllegalStateException("Redis answered " + reply);
    }

    static List<byte[]> payloads(@Nullable Object reply) {
        List<byte[]> payloads = new ArrayList<>();
        for (Object payload : list(reply)) {
            payloads.add((byte[]) Objects.requireNonNull(payload));
        }
        return payloads;
    }

    static List<String> texts(@Nullable Object reply) {
        List<String> texts = new ArrayList<>();
        for (Object value : list(reply)) {
            texts.add(text(value));
        }
        return texts;
    }

    static String text(Object value) {
        return new String((byte[]) value, StandardCharsets.UTF_8);
    }
}
