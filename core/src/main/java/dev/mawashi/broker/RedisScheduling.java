package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The schedule and retry sets in Redis. Both are watched, so that an entry added with an early due
/// time is noticed at once; of several processes by the one whose `Turn` it is.
final class RedisScheduling implements Scheduling {
    private static final Script DUE = Script.beside(RedisScheduling.class, "due.lua");
    private static final Script POSTPONE = Script.beside(RedisScheduling.class, "postpone.lua");
    private static final Script KILL = Script.beside(RedisScheduling.class, "kill.lua");

    /// How often the sets are read while they cannot be watched.
    private static final Duration POLL = Duration.ofMillis(45);

    private final RedisConnection connection;
    private final KeyWatch watch;
    private final DeadLimits limits;
    private final QueueLayout layout;
    private final Script promote;
    private final Turn turn;
    private boolean isWatched;

    /// The entries that one script moves: those of one set for one queue.
    private record Place(From from, String queue) {}

    /// @param watch of both sets and of what `Turn` leaves, see `isOf`
    RedisScheduling(KeyWatch watch, DeadLimits limits, QueueLayout layout) {
        this.connection = watch.connection();
        this.watch = watch;
        this.limits = limits;
        this.layout = layout;
        this.turn = new Turn(connection, Keys.SCHEDULER, Keys.SCHEDULER_LEFT);
        promote = Sides.of(layout).script("promote.lua");
    }

    /// Whether a change of the key is a reason to look.
    static boolean isOf(String key) {
        return key.equals(Keys.SCHEDULER_LEFT)
                || Stream.of(From.values()).anyMatch(from -> key.equals(from.key()));
    }

    @Override
    public Due due(int most, int mostBytes) {
        isWatched = watch.track();
        if (!turn.take()) {
            return new Due(List.of(), OptionalLong.empty(), Map.of());
        }
        List<byte[]> limits =
                List.of(ascii(Integer.toString(most)), ascii(Integer.toString(mostBytes)));
        for (From from : From.values()) {
            connection.queueEval(DUE, List.of(key(from)), limits);
        }
        List<Entry> entries = new ArrayList<>();
        Map<From, String> unreadable = new EnumMap<>(From.class);
        OptionalLong next = OptionalLong.empty();
        Iterator<@Nullable Object> reply = connection.flush().iterator();
        for (From from : From.values()) {
            Object answer = reply.next();
            if (isOfOneKey(answer)) {
                unreadable.put(from, reason(answer));
                continue;
            }
            if (!(answer instanceof List<?> values)) {
                throw Replies.refusal(answer);
            }
            long millis = (Long) values.getFirst();
            if (millis >= 0 && (next.isEmpty() || millis < next.getAsLong())) {
                next = OptionalLong.of(millis);
            }
            for (Object payload : values.subList(1, values.size())) {
                entries.add(new Entry(from, (byte[]) payload));
            }
        }
        return new Due(entries, next, unreadable);
    }

    /// Whether Redis refused this one command alone. The refusal lasts until someone mends a key or
    /// the user's rights; other queues, or the other set, do not meet it.
    private static boolean isOfOneKey(@Nullable Object reply) {
        return reply instanceof RedisFailure failure && failure.isOfOneCommand();
    }

    private static String reason(@Nullable Object reply) {
        return reply instanceof RedisFailure failure ? failure.reason() : "";
    }

    @Override
    public Promoted promote(List<Promotion> promotions) {
        Map<Place, List<Promotion>> byPlace = new LinkedHashMap<>();
        for (Promotion one : promotions) {
            Place place = new Place(one.entry().from(), one.queue());
            byPlace.computeIfAbsent(place, _ -> new ArrayList<>()).add(one);
        }
        byPlace.forEach(this::queuePromote);
        Iterator<@Nullable Object> replies = connection.flush().iterator();
        int moved = 0;
        Map<String, String> refused = new LinkedHashMap<>();
        for (Map.Entry<Place, List<Promotion>> group : byPlace.entrySet()) {
            Object reply = replies.next();
            if (reply instanceof Long count) {
                moved += count.intValue();
            } else if (isOfOneKey(reply)) {
                queuePostpone(group.getKey().from(), group.getValue());
                refused.put(group.getKey().queue(), reason(reply));
            } else {
                throw Replies.refusal(reply);
            }
        }
        if (!refused.isEmpty()) {
            checkPostponed(connection.flush());
        }
        return new Promoted(moved, refused);
    }

    private void queuePromote(Place place, List<Promotion> promotions) {
        List<byte[]> args = new ArrayList<>(1 + 2 * promotions.size());
        args.add(Keys.bytes(place.queue()));
        for (Promotion one : promotions) {
            args.add(one.entry().payload());
            args.add(one.payload());
        }
        List<byte[]> keys =
                List.of(
                        key(place.from()),
                        Keys.bytes(layout.names()),
                        Keys.bytes(layout.queue(place.queue())));
        connection.queueEval(promote, keys, args);
    }

    private void queuePostpone(From from, List<Promotion> promotions) {
        List<byte[]> args = new ArrayList<>(1 + promotions.size());
        args.add(ascii(Long.toString(REFUSED_WAIT.toSeconds())));
        promotions.forEach(one -> args.add(one.entry().payload()));
        connection.queueEval(POSTPONE, List.of(key(from)), args);
    }

    private static void checkPostponed(List<@Nullable Object> replies) {
        for (Object reply : replies) {
            int _ = Replies.number(reply);
        }
    }

    @Override
    public int bury(Entry entry) {
        List<byte[]> args = new ArrayList<>(limits.args());
        args.add(entry.payload());
        args.addAll(JobLock.words(entry.payload()));
        List<byte[]> keys =
                List.of(key(entry.from()), Keys.bytes(Keys.DEAD), Keys.bytes(Keys.LOCKS));
        List<?> movedAndTrimmed = Replies.list(connection.eval(KILL, keys, args));
        return Replies.number(movedAndTrimmed.get(1));
    }

    private static byte[] key(From from) {
        return Keys.bytes(from.key());
    }

    /// Keeps the turn meanwhile, for which it does not read the sets.
    @Override
    public void awaitChange(Duration wait) {
        long endNanos = System.nanoTime() + wait.toNanos();
        boolean wasOurs = turn.isOurs();
        do {
            Duration rest = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
            if (turn.isOurs() && !isWatched) {
                watch.await(shorter(rest, POLL));
                return;
            }
            if (watch.await(shorter(rest, turn.untilNextTake()))
                    || endNanos - System.nanoTime() <= 0) {
                return;
            }
        } while (turn.take() == wasOurs);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void wake() {
        watch.wake();
    }

    @Override
    public void close() {
        turn.leave();
        watch.close();
    }
}
