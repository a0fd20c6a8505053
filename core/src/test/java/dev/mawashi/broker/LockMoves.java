package dev.mawashi.broker;

import static dev.mawashi.broker.CrashPoints.QUEUES;
import static dev.mawashi.broker.CrashPoints.SERVER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LockTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// The moves of `CrashPointIT` of jobs with locks: wherever the connection breaks, a lock is there
/// while its job waits or is in hand, and no longer.
final class LockMoves {
    private LockMoves() {}

    static void done(CrashPoints.Attempt attempt) {
        settle(attempt, _ -> Settlement.ACK);
    }

    static void bury(CrashPoints.Attempt attempt) {
        settle(attempt, Settlement.Bury::new);
    }

    private static void settle(
            CrashPoints.Attempt attempt, Function<byte[], Settlement> settlement) {
        List<Settled> all = new ArrayList<>();
        List<String> jids = new ArrayList<>();
        try (RedisConnection redis = SERVER.connect()) {
            for (Lease lease : attempt.claimed(7)) {
                String jid = Places.jid(lease.payload());
                byte[] payload = locked(jid);
                redis.call("SET", key(jid), jid, "PX", "600000");
                Lease own = new Lease(lease.queue(), lease.owner(), lease.token(), payload);
                all.add(new Settled(own, settlement.apply(payload)));
                jids.add(jid);
            }
        }
        attempt.settle(attempt.broken, all);
        jids.forEach(LockMoves::assertLockedWhileAlive);
    }

    private static String key(String jid) {
        return "mw:lock:" + digest(jid);
    }

    private static String digest(String jid) {
        return "d".repeat(22 - jid.length()) + jid;
    }

    private static byte[] locked(String jid) {
        return "{\"jid\":\"%s\",\"mw_lock\":\"%s\"}".formatted(jid, digest(jid)).getBytes(UTF_8);
    }

    private static void assertLockedWhileAlive(String jid) {
        try (RedisConnection redis = SERVER.connect()) {
            Map<String, List<String>> where = new RedisPlaces(redis).whereabouts(QUEUES);
            List<String> places = where.getOrDefault(jid, List.of());
            boolean isAlive = !places.isEmpty() && !places.equals(List.of("dead"));
            assertThat(redis.call("EXISTS", key(jid)))
                    .as("lock of job %s, which is in %s", jid, places)
                    .isEqualTo(isAlive ? 1L : 0L);
        }
    }

    /// A job comes into its queue with its lock. Where the reply is lost the call is repeated.
    static void enqueue(CrashPoints.Attempt attempt) {
        List<String> answers = new ArrayList<>();
        try (RedisConnection redis = SERVER.connect();
                RedisConnection broken = attempt.broken.connect("lock")) {
            String jid =
                    Places.jid((byte[]) Objects.requireNonNull(redis.call("RPOP", "queue:high")));
            LockTable locks = new LockTable(broken);
            for (String owner : List.of(jid, "other")) {
                attempt.persistently(() -> answers.add(enqueue(locks, jid, owner)));
            }
            assertLockedWhileAlive(jid);
        }
        if (!attempt.isCrashed()) {
            assertThat(answers).containsExactly("1", "0");
        }
    }

    /// @return `1`, or the owner of the lock
    private static String enqueue(LockTable locks, String jid, String owner) {
        List<byte[]> args = new ArrayList<>();
        for (String word : List.of(owner, "", "600000", "", "")) {
            args.add(word.getBytes(UTF_8));
        }
        args.add(locked(owner));
        List<byte[]> digests = List.of(digest(jid).getBytes(UTF_8));
        return new String(locks.enqueue("high".getBytes(UTF_8), digests, args).getFirst(), UTF_8);
    }
}
