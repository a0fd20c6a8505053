package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Finds keys of ours beside queues that recovery would not look at, since the owner's lease or the
/// queue's name in the served queues is gone: evicted, or deleted by hand. It writes the name
/// again, and a lease that has lapsed, so that recovery sees to these keys as to any other.
///
/// Each sweep goes through some of Redis's keys. After the last of them the scan rests for a while.
final class StrayScan {
    private static final Script ADOPT = Script.beside(StrayScan.class, "adopt.lua");

    /// Keys that one command looks at, which holds Redis for 0.3 ms, and commands of one sweep.
    private static final String TOGETHER = "1000";

    private static final int COMMANDS_MAX = 5;
    private static final Duration AGAIN_AFTER = Duration.ofMinutes(10);
    private static final String START = "0";
    private static final List<String> OF_OWNERS = List.of("}:inflight:", "}:arrivals:");
    private static final List<String> OTHERS = List.of("}:leases", "}:arrivals", "}:suspects");

    private final RedisConnection connection;
    private final QueueLayout layout;
    private String cursor = START;
    private long nextNanos = System.nanoTime();

    /// A key of ours beside a queue.
    ///
    /// @param owner whose in-flight store or arrivals it is; empty for any other key
    private record Stray(String key, String queue, Optional<String> owner) {}

    StrayScan(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
    }

    /// Goes through some keys. Where the user may not do that, nothing is found.
    ///
    /// @param known the served queues
    void scanSome(Set<String> known) {
        if (System.nanoTime() - nextNanos < 0) {
            return;
        }
        try {
            for (int i = 0; i < COMMANDS_MAX; i++) {
                some(known);
                if (cursor.equals(START)) {
                    nextNanos = System.nanoTime() + AGAIN_AFTER.toNanos();
                    return;
                }
            }
        } catch (RedisFailure failure) {
            if (failure.kind() != RedisFailure.Kind.REFUSED) {
                throw failure;
            }
            nextNanos = System.nanoTime() + AGAIN_AFTER.toNanos();
        }
    }

    private void some(Set<String> known) {
        Object reply =
                connection.call("SCAN", cursor, "MATCH", layout.anyOfOurs(), "COUNT", TOGETHER);
        List<?> parts = (List<?>) Objects.requireNonNull(reply);
        List<Stray> found = new ArrayList<>();
        for (Object key : (List<?>) parts.get(1)) {
            stray(text(key)).ifPresent(found::add);
        }
        int sent = 0;
        for (Stray one : found) {
            if (one.owner().isPresent()) {
                queueAdopt(one, one.owner().get());
                sent++;
            } else if (!known.contains(one.queue())) {
                connection.queue(
                        ascii("SADD"), Keys.bytes(layout.served()), Keys.bytes(one.queue()));
                sent++;
            }
        }
        if (sent > 0) {
            connection.flush();
        }
        cursor = text(parts.get(0));
    }

    private Optional<Stray> stray(String key) {
        int start = layout.oursBegin().length();
        // The last one, since a queue's name may hold the same. No owner's name does.
        int end = key.lastIndexOf("}:");
        for (String kind : OF_OWNERS) {
            if (end >= start && key.startsWith(kind, end)) {
                String owner = key.substring(end + kind.length());
                return Optional.of(new Stray(key, key.substring(start, end), Optional.of(owner)));
            }
        }
        return OTHERS.stream()
                .filter(kind -> key.endsWith(kind) && key.length() >= start + kind.length())
                .map(kind -> key.substring(start, key.length() - kind.length()))
                .map(queue -> new Stray(key, queue, Optional.empty()))
                .findFirst();
    }

    private void queueAdopt(Stray stray, String owner) {
        connection.queueEval(
                ADOPT,
                List.of(
                        Keys.bytes(layout.served()),
                        Keys.bytes(layout.leases(stray.queue())),
                        Keys.bytes(stray.key())),
                List.of(Keys.bytes(stray.queue()), Keys.bytes(owner)));
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }
}
