package dev.mawashi.broker;

import static dev.mawashi.broker.CrashPoints.QUEUES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.LockTable;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
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
        try (RedisConnection redis = attempt.connect()) {
            for (Lease lease : attempt.claimed(7)) {
                String jid = Places.jid(lease.payload());
                byte[] payload = locked(jid);
                redis.call("HSET", "mw:locks", digest(jid), "9999999999999 " + jid + " A");
                Lease own = new Lease(lease.queue(), lease.owner(), lease.token(), payload);
                all.add(new Settled(own, settlement.apply(payload)));
                jids.add(jid);
            }
        }
        attempt.settle(attempt.broken, all);
        jids.forEach(jid -> assertLockedWhileAlive(attempt, jid));
    }

    private static String digest(String jid) {
        return "d".repeat(14 - jid.length()) + jid;
    }

    private static byte[] locked(String jid) {
        return "{\"jid\":\"%s\",\"mw_lock\":\"%s\"}".formatted(jid, digest(jid)).getBytes(UTF_8);
    }

    private static void assertLockedWhileAlive(CrashPoints.Attempt attempt, String jid) {
        try (RedisConnection redis = attempt.connect()) {
            Map<String, List<String>> where = new RedisPlaces(redis).whereabouts(QUEUES);
            List<String> places = where.getOrDefault(jid, List.of());
            boolean isAlive = !places.isEmpty() && !places.equals(List.of("dead"));
            assertThat(redis.call("HEXISTS", "mw:locks", digest(jid)))
                    .as("lock of job %s, which is in %s", jid, places)
                    .isEqualTo(isAlive ? 1L : 0L);
        }
    }

    /// Locked jobs in the place of those that wait in queue `high`.
    private static List<byte[]> fill(RedisConnection redis) {
        redis.call("DEL", "queue:high");
        List<byte[]> jobs = new ArrayList<>();
        for (int i = 0; i < CrashPoints.JOBS; i++) {
            byte[] job = locked("" + i);
            jobs.add(job);
            redis.call(RedisConnection.ascii("LPUSH"), RedisConnection.ascii("queue:high"), job);
            redis.call("HSET", "mw:locks", digest("" + i), "9999999999999 " + i + " A");
        }
        return jobs;
    }

    /// An operator clears a queue: its jobs are gone, and so are their locks once that has ended,
    /// whoever ends it.
    static void clear(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect()) {
            fill(redis);
            try (RedisConnection broken = attempt.broken.connect("edit")) {
                attempt.persistently(
                        () -> new QueueEditing(broken).clear("high", Keeping.nothing()));
            }
            if (attempt.isCrashed()) {
                if (Long.valueOf(1).equals(redis.call("EXISTS", "queue:high"))) {
                    assertThat(redis.call("HLEN", "mw:locks")).isEqualTo((long) CrashPoints.JOBS);
                }
                var _ = new QueueEditing(redis).clear("high", Keeping.nothing());
            }
            assertThat(redis.call("EXISTS", "mw:locks", "queue:high", "mw:cleared:queue:high"))
                    .isEqualTo(0L);
        }
    }

    /// An operator deletes jobs, each with its lock.
    static void delete(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect()) {
            List<byte[]> jobs = fill(redis);
            List<QueueEditing.Waiting> waiting =
                    jobs.stream().map(job -> new QueueEditing.Waiting(job, -1)).toList();
            deleteSome(
                    attempt,
                    broken -> new QueueEditing(broken).delete("high", waiting, Keeping.of("act")));
        }
    }

    /// The same in a set.
    static void deleteEntries(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect()) {
            List<byte[]> jobs = move(redis);
            deleteSome(
                    attempt,
                    broken -> new SetEditing(broken).delete(JobSet.RETRY, jobs, Keeping.nothing()));
        }
    }

    /// An operator buries them: a dead job has no lock.
    static void buryEntries(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect()) {
            List<byte[]> jobs = move(redis);
            deleteSome(
                    attempt,
                    broken -> new SetEditing(broken).bury(JobSet.RETRY, jobs, DeadLimits.DEFAULT));
        }
    }

    /// Locked jobs in the retry set, which were in queue `high`.
    private static List<byte[]> move(RedisConnection redis) {
        List<byte[]> jobs = fill(redis);
        redis.call("DEL", "queue:high");
        for (byte[] job : jobs) {
            redis.call(
                    RedisConnection.ascii("ZADD"),
                    RedisConnection.ascii("retry"),
                    RedisConnection.ascii("1"),
                    job);
        }
        return jobs;
    }

    private static void deleteSome(
            CrashPoints.Attempt attempt, Consumer<RedisConnection> deletion) {
        try (RedisConnection broken = attempt.broken.connect("edit")) {
            attempt.persistently(() -> deletion.accept(broken));
        }
        for (int i = 0; i < CrashPoints.JOBS; i++) {
            assertLockedWhileAlive(attempt, "" + i);
        }
    }

    /// A job comes into its queue with its lock. Where the reply is lost the call is repeated.
    static void enqueue(CrashPoints.Attempt attempt) {
        List<String> answers = new ArrayList<>();
        try (RedisConnection redis = attempt.connect();
                RedisConnection broken = attempt.broken.connect("lock")) {
            String jid =
                    Places.jid((byte[]) Objects.requireNonNull(redis.call("RPOP", "queue:high")));
            LockTable locks = new LockTable(broken);
            for (String owner : List.of(jid, "other")) {
                attempt.persistently(() -> answers.add(enqueue(locks, jid, owner)));
            }
            assertLockedWhileAlive(attempt, jid);
        }
        if (!attempt.isCrashed()) {
            assertThat(answers).containsExactly("1", "0");
        }
    }

    /// @return `1`, or the owner of the lock
    private static String enqueue(LockTable locks, String jid, String owner) {
        List<byte[]> args = new ArrayList<>();
        for (String word : List.of(digest(jid), owner, "A", "", "600000", "", "")) {
            args.add(word.getBytes(UTF_8));
        }
        args.add(locked(owner));
        return new String(locks.enqueue("high".getBytes(UTF_8), args).getFirst(), UTF_8).strip();
    }
}
