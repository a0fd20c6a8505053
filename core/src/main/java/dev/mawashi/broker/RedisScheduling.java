package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The schedule and retry sets in Redis. Both are watched, so that an entry added with an early due
/// time is noticed at once and an idle server sends nothing.
final class RedisScheduling implements Scheduling {
    private static final Script DUE = Script.beside(RedisScheduling.class, "due.lua");
    private static final Script PROMOTE = Script.beside(RedisScheduling.class, "promote.lua");
    private static final Script BURY_ENTRY = Script.beside(RedisScheduling.class, "bury_entry.lua");

    /// How often the sets are read while they cannot be watched.
    private static final Duration POLL = Duration.ofMillis(45);

    private final RedisConnection connection;
    private final KeyWatch watch;
    private boolean isWatched;

    RedisScheduling(RedisConnection connection, RedisConnection listener) {
        this.connection = connection;
        this.watch = new KeyWatch(listener);
    }

    @Override
    public Due due(int most) {
        isWatched = watch.track(connection);
        byte[] limit = ascii(Integer.toString(most));
        for (From from : From.values()) {
            connection.queueEval(DUE, List.of(key(from)), List.of(limit));
        }
        List<Entry> entries = new ArrayList<>();
        OptionalLong next = OptionalLong.empty();
        Iterator<@Nullable Object> reply = connection.flush().iterator();
        for (From from : From.values()) {
            Object answer = reply.next();
            if (!(answer instanceof List<?> values)) {
                throw refusal(answer);
            }
            long millis = (Long) values.getFirst();
            if (millis >= 0 && (next.isEmpty() || millis < next.getAsLong())) {
                next = OptionalLong.of(millis);
            }
            for (Object payload : values.subList(1, values.size())) {
                entries.add(new Entry(from, (byte[]) payload));
            }
        }
        return new Due(entries, next);
    }

    private static RuntimeException refusal(@Nullable Object reply) {
        return reply instanceof RuntimeException refusal
                ? refusal
                : new IllegalStateException("due.lua answered " + reply);
    }

    @Override
    public int promote(List<Promotion> promotions) {
        Map<List<Object>, List<byte[]>> byPlace = new LinkedHashMap<>();
        for (Promotion one : promotions) {
            List<byte[]> args =
                    byPlace.computeIfAbsent(
                            List.of(one.entry().from(), one.queue()),
                            _ -> new ArrayList<>(List.of(Keys.bytes(one.queue()))));
            args.add(one.entry().payload());
            args.add(one.payload());
        }
        byPlace.forEach((place, args) ->
                connection.queueEval(
                        PROMOTE,
                        List.of(
                                key((From) place.get(0)),
                                Keys.bytes(Keys.QUEUES),
                                Keys.bytes(Keys.queue((String) place.get(1)))),
                        args));
        int moved = 0;
        for (Object reply : connection.flush()) {
            if (!(reply instanceof Long count)) {
                throw refusal(reply);
            }
            moved += count.intValue();
        }
        return moved;
    }

    @Override
    public void bury(Entry entry) {
        connection.eval(
                BURY_ENTRY,
                List.of(key(entry.from()), Keys.bytes(Keys.DEAD)),
                List.of(entry.payload()));
    }

    private static byte[] key(From from) {
        return Keys.bytes(
                switch (from) {
                    case RETRY -> Keys.RETRY;
                    case SCHEDULE -> Keys.SCHEDULE;
                });
    }

    @Override
    public void awaitChange(Duration wait) {
        watch.await(isWatched || wait.compareTo(POLL) < 0 ? wait : POLL);
    }

    @Override
    public void wake() {
        watch.wake();
    }

    @Override
    public void close() {
        watch.close();
        connection.close();
    }
}
