package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the jobs that are next in queues, in limits of bytes and of Redis's time. One thread's.
///
/// Whoever looks at an entry of a list has Redis copy all of it, for about 1 ms for each MiB, and
/// no command returns the length of an entry. So large ones are looked at one in each round trip,
/// that Redis answers others in between; and each is taken to be next still for a time that grows
/// with its size, which keeps its looks below a thousandth of Redis's time.
public final class QueueHeads {
    private static final Script HEAD = Script.beside(QueueHeads.class, "head.lua");

    /// Most bytes of a job that is read whole.
    private static final byte[] WHOLE_BYTES_MAX = ascii("" + (16 << 10));

    private static final byte[] END_BYTES = ascii("1000");

    /// Most queues that are looked at in one round trip.
    private static final int TOGETHER_MAX = 50;

    /// Of a job that is less large Redis makes hardly more work than of a small one.
    private static final int LARGE_BYTES = 1 << 20;

    /// Milliseconds for each byte of it, for which a large job is taken to be next still: 4 s for
    /// each MiB.
    private static final double KEPT_MILLIS = 4_000.0 / LARGE_BYTES;

    private static final int KEPT_MAX = 1_000;

    private final RedisConnection connection;
    private final InstantSource clock;
    private final Map<String, Seen> kept = new HashMap<>();
    private int together = 1;

    /// The end of a large job, and until when it is taken to be next.
    private record Seen(byte[] end, long untilMillis) {}

    public QueueHeads(RedisConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /// The next jobs of these queues, by queue: the bytes of each, of a large one its end.
    ///
    /// @param queues those that hold jobs
    public Map<String, byte[]> of(List<String> queues) {
        Map<String, byte[]> heads = new HashMap<>();
        List<String> unseen = new ArrayList<>();
        for (String queue : queues) {
            Seen seen = kept.get(queue);
            if (seen != null && clock.millis() < seen.untilMillis()) {
                heads.put(queue, seen.end());
            } else {
                unseen.add(queue);
            }
        }
        int from = 0;
        while (from < unseen.size()) {
            int end = Math.min(from + together, unseen.size());
            boolean isAnyLarge = look(unseen.subList(from, end), heads);
            together = isAnyLarge ? 1 : Math.min(2 * together, TOGETHER_MAX);
            from = end;
        }
        return heads;
    }

    /// @return whether any of them is large
    private boolean look(List<String> queues, Map<String, byte[]> heads) {
        for (String queue : queues) {
            List<byte[]> keys = List.of(Keys.bytes(Keys.queue(queue)));
            connection.queueEval(HEAD, keys, List.of(WHOLE_BYTES_MAX, END_BYTES));
        }
        List<@Nullable Object> replies = connection.flush();
        boolean isAnyLarge = false;
        for (int i = 0; i < replies.size(); i++) {
            String queue = queues.get(i);
            kept.remove(queue);
            if (replies.get(i) instanceof byte[] whole) {
                heads.put(queue, whole);
            } else if (replies.get(i) instanceof List<?> sizeAndEnd) {
                byte[] end = (byte[]) sizeAndEnd.getLast();
                heads.put(queue, end);
                isAnyLarge |= keep(queue, end, (Long) sizeAndEnd.getFirst());
            }
        }
        return isAnyLarge;
    }

    private boolean keep(String queue, byte[] end, long size) {
        if (size < LARGE_BYTES) {
            return false;
        }
        if (kept.size() >= KEPT_MAX) {
            kept.clear();
        }
        kept.put(queue, new Seen(end, clock.millis() + (long) (size * KEPT_MILLIS)));
        return true;
    }
}
