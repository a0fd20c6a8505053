package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Schedules in Redis: which servers have, how far each has come, which are paused, and what became
/// of their last runs. One thread's.
///
/// A schedule's mark is its last decided tick, and what its server says of it. Only fire.lua writes
/// it, together with the job, so that a process that dies at any moment leaves a tick decided or
/// not. The schedules of a config file are one text under the text's digest; servers that have it
/// keep it there, and readers find its digest in a sorted set.
public final class CronTable implements AutoCloseable {
    /// Records of runs that are kept of each schedule.
    public static final int RUNS_MAX = 20;

    /// How long a file's schedules are there after its last server.
    public static final Duration FILE_KEPT = Duration.ofSeconds(90);

    /// A mark further ahead of Redis's clock is not believed, as in fire.lua.
    private static final Duration AHEAD_MAX = Duration.ofDays(1);

    private static final Duration RUNS_KEPT = Duration.ofDays(30);
    private static final int NAMES_PER_CALL = 1_000;
    private static final int FILES_MAX = 100;
    private static final Script FIRE = Script.beside(CronTable.class, "fire.lua");

    private final RedisConnection connection;

    /// A tick to be decided.
    ///
    /// @param millis the tick, since 1970; empty for a run by hand
    /// @param earlier the tick that must be decided before this one; empty for none
    /// @param note goes into the mark
    /// @param record of the run; empty for none
    /// @param pausedRecord the record instead, should the schedule be paused
    /// @param job null to leave the tick out
    public record Tick(
            String schedule,
            String millis,
            String earlier,
            String note,
            String record,
            String pausedRecord,
            @Nullable Job job) {}

    /// A job for a queue.
    public record Job(String queue, byte[] payload) {}

    /// The last decided tick of a schedule.
    ///
    /// @param millis since 1970
    /// @param note as `Tick` had it
    public record Mark(long millis, String note) {}

    public CronTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// Redis's clock: ms since 1970.
    public long now() {
        List<?> time = Replies.list(connection.call("TIME"));
        long seconds = Long.parseLong(Replies.text(time.getFirst()));
        return seconds * 1_000 + Long.parseLong(Replies.text(time.getLast())) / 1_000;
    }

    /// Whose turn it is to fire the schedules of a file.
    public Turn turn(String digest) {
        return new Turn(connection, Keys.cronTurn(digest), Keys.cronTurn(digest) + ":left");
    }

    /// The marks of those schedules that have one that can be read and believed.
    ///
    /// @param now Redis's clock, ms since 1970
    public Map<String, Mark> marks(List<String> schedules, long now) {
        Map<String, Mark> marks = new HashMap<>();
        for (int from = 0; from < schedules.size(); from += NAMES_PER_CALL) {
            int to = Math.min(schedules.size(), from + NAMES_PER_CALL);
            List<String> some = schedules.subList(from, to);
            List<String> command = new ArrayList<>(List.of("HMGET", Keys.CRON));
            command.addAll(some);
            Iterator<?> values =
                    Replies.list(connection.call(command.toArray(String[]::new))).iterator();
            for (String schedule : some) {
                if (values.next() instanceof byte[] value) {
                    Mark mark = mark(new String(value, StandardCharsets.UTF_8), now);
                    if (mark != null) {
                        marks.put(schedule, mark);
                    }
                }
            }
        }
        return marks;
    }

    private static @Nullable Mark mark(String text, long now) {
        int space = text.indexOf(' ');
        if (space < 1 || !text.substring(0, space).matches("\\d{1,15}")) {
            return null;
        }
        long millis = Long.parseLong(text.substring(0, space));
        return millis > now + AHEAD_MAX.toMillis()
                ? null
                : new Mark(millis, text.substring(space + 1));
    }

    /// Decides ticks, in their order.
    ///
    /// @return for each `fired`, `paused`, `past`, `early` or `behind`, or the refusal of that one
    /// @throws RedisFailure for what holds for all
    public List<Object> fire(List<Tick> ticks) {
        ticks.forEach(this::queue);
        List<Object> outcomes = new ArrayList<>();
        for (Object reply : connection.flush()) {
            if (reply instanceof byte[] word) {
                outcomes.add(Replies.text(word));
            } else if (reply instanceof RedisFailure failure && failure.isOfOneCommand()) {
                outcomes.add(failure);
            } else {
                throw Replies.refusal(reply);
            }
        }
        return outcomes;
    }

    private void queue(Tick tick) {
        List<byte[]> keys = new ArrayList<>();
        keys.add(Keys.bytes(Keys.CRON));
        keys.add(Keys.bytes(Keys.CRON_PAUSED));
        keys.add(Keys.bytes(Keys.cronRuns(tick.schedule())));
        List<byte[]> args = new ArrayList<>();
        args.add(RedisConnection.utf8(tick.schedule()));
        args.add(ascii(tick.millis()));
        args.add(ascii(tick.earlier()));
        args.add(RedisConnection.utf8(tick.note()));
        args.add(RedisConnection.utf8(tick.record()));
        args.add(RedisConnection.utf8(tick.pausedRecord()));
        args.add(ascii(Integer.toString(RUNS_MAX)));
        args.add(ascii(Long.toString(RUNS_KEPT.toSeconds())));
        Job job = tick.job();
        if (job != null) {
            keys.add(Keys.bytes(Keys.QUEUES));
            keys.add(Keys.bytes(Keys.queue(job.queue())));
            args.add(Keys.bytes(job.queue()));
            args.add(job.payload());
        }
        connection.queueEval(FIRE, keys, args);
    }

    /// Notes that a server has these schedules, for `FILE_KEPT`.
    ///
    /// @param digest of the text
    public void publish(String digest, Supplier<String> text) {
        String key = Keys.cronFile(digest);
        String kept = Long.toString(FILE_KEPT.toSeconds());
        long now = now() / 1_000;
        if (RedisCalls.number(connection.call("EXPIRE", key, kept)) == 0) {
            Object _ = connection.call("SET", key, text.get(), "EX", kept);
        }
        RedisCalls.queue(connection, "ZADD", Keys.CRON_FILES, Long.toString(now), digest);
        String old = "(" + (now - FILE_KEPT.toSeconds());
        RedisCalls.queue(connection, "ZREMRANGEBYSCORE", Keys.CRON_FILES, "-inf", old);
        RedisCalls.queue(connection, "EXPIRE", Keys.CRON_FILES, kept);
        List<@Nullable Object> _ = RedisCalls.flush(connection);
    }

    /// Notes that a server has these schedules no longer. Others that do say so again.
    ///
    /// @param digest of their text
    public void withdraw(String digest) {
        RedisCalls.queue(connection, "ZREM", Keys.CRON_FILES, digest);
        // Refused to a user who may not write it: they are shown until their time is over.
        List<@Nullable Object> _ = connection.flush();
    }

    /// The schedules of each file that servers have, the one seen last in the end.
    public List<String> files() {
        List<String> texts = new ArrayList<>();
        List<String> digests =
                Replies.texts(connection.call("ZRANGE", Keys.CRON_FILES, "-" + FILES_MAX, "-1"));
        digests.forEach(digest -> RedisCalls.queue(connection, "GET", Keys.cronFile(digest)));
        for (Object reply : connection.flush()) {
            // A key of another type hides this file's schedules alone.
            if (reply instanceof byte[] text) {
                texts.add(new String(text, StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    public Set<String> paused() {
        return new HashSet<>(Replies.texts(connection.call("SMEMBERS", Keys.CRON_PAUSED)));
    }

    /// @return whether that changes anything
    public boolean pause(String schedule, boolean isPaused) {
        String verb = isPaused ? "SADD" : "SREM";
        return RedisCalls.number(connection.call(verb, Keys.CRON_PAUSED, schedule)) == 1;
    }

    /// The records of a schedule's last runs, the newest first.
    public List<String> runs(String schedule) {
        String last = Integer.toString(RUNS_MAX - 1);
        return Replies.texts(connection.call("LRANGE", Keys.cronRuns(schedule), "0", last));
    }

    /// The record of the last run of each of these that has one.
    public Map<String, String> lastRuns(List<String> schedules) {
        Map<String, String> last = new HashMap<>();
        for (int from = 0; from < schedules.size(); from += NAMES_PER_CALL) {
            int to = Math.min(schedules.size(), from + NAMES_PER_CALL);
            List<String> some = schedules.subList(from, to);
            some.forEach(name -> RedisCalls.queue(connection, "LINDEX", Keys.cronRuns(name), "0"));
            Iterator<@Nullable Object> replies = connection.flush().iterator();
            for (String schedule : some) {
                // A key of another type hides this one's runs alone.
                if (replies.next() instanceof byte[] record) {
                    last.put(schedule, new String(record, StandardCharsets.UTF_8));
                }
            }
        }
        return last;
    }

    @Override
    public void close() {
        connection.close();
    }
}
