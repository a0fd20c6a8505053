package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Batches of resque-scheduler's delayed jobs, in either Redis of a migration. Each second has a
/// list of its own, so a batch has jobs of many. One thread's.
final class DelayedBatches {
    private static final Script TAKE = Script.beside(DelayedBatches.class, "take_delayed.lua");
    private static final Script ADD = Script.beside(DelayedBatches.class, "add_delayed.lua");
    private static final Script RETURN = Script.beside(DelayedBatches.class, "return_delayed.lua");

    /// Seconds that a batch is taken from, and that are counted at once.
    private static final int SECONDS_MAX = 500;

    private final RedisConnection connection;
    private final ResqueKeys keys;
    private final Set<String> passedOver;

    DelayedBatches(RedisConnection connection, MigratedPlace place) {
        this(connection, place, Set.of());
    }

    /// @param passedOver seconds from which nothing is taken
    DelayedBatches(RedisConnection connection, MigratedPlace place, Set<String> passedOver) {
        this.connection = connection;
        keys = place.resque();
        this.passedOver = passedOver;
    }

    /// @param limits most jobs, most bytes
    /// @return what take_delayed.lua returns
    /// @throws RedisFailure also when Redis refuses the lists of all seconds that are left
    @Nullable Object take(String turn, MigrationBatch wanted, List<byte[]> limits) {
        List<byte[]> names = new ArrayList<>(List.of(Keys.bytes(keys.delayedSchedule())));
        names.add(Keys.bytes(Keys.BATCH));
        names.add(Keys.bytes(Keys.MIGRATING));
        List<byte[]> args = new ArrayList<>(List.of(Keys.bytes(turn), wanted.head()));
        args.addAll(limits);
        Sound first = firstSound();
        for (String second : first.seconds()) {
            names.add(Keys.bytes(keys.delayed(second)));
            args.add(Keys.bytes(second));
        }
        Object reply = connection.eval(TAKE, names, args);
        if (reply == null && first.seconds().isEmpty() && first.refusal() != null) {
            throw first.refusal();
        }
        return reply;
    }

    /// Seconds whose lists can be read.
    ///
    /// @param refusal of the list of another one before them; null for none
    private record Sound(List<String> seconds, @Nullable RedisFailure refusal) {}

    private Sound firstSound() {
        List<String> sound = new ArrayList<>();
        RedisFailure refusal = null;
        for (int from = 0; sound.isEmpty(); from += SECONDS_MAX) {
            List<String> some = seconds(from);
            if (some.isEmpty()) {
                break;
            }
            some.removeAll(passedOver);
            List<@Nullable Object> lengths = lengths(some);
            for (int i = 0; i < some.size(); i++) {
                if (lengths.get(i) instanceof RedisFailure refused) {
                    refusal = refused;
                } else {
                    sound.add(some.get(i));
                }
            }
        }
        return new Sound(sound, refusal);
    }

    /// Of the seconds of a batch those whose lists Redis refuses, each with the reason.
    SequencedMap<String, RedisFailure> refused(MigrationBatch batch) {
        List<String> seconds =
                batch.delayed().stream().map(MigrationBatch.Delayed::second).distinct().toList();
        List<@Nullable Object> lengths = lengths(seconds);
        SequencedMap<String, RedisFailure> refused = new LinkedHashMap<>();
        for (int i = 0; i < seconds.size(); i++) {
            if (lengths.get(i) instanceof RedisFailure refusal) {
                refused.put(seconds.get(i), refusal);
            }
        }
        return refused;
    }

    private List<@Nullable Object> lengths(List<String> seconds) {
        seconds.forEach(second -> RedisCalls.queue(connection, "LLEN", keys.delayed(second)));
        return connection.flush();
    }

    private List<String> seconds(int from) {
        List<String> seconds = new ArrayList<>();
        Object reply =
                connection.call(
                        "ZRANGE", keys.delayedSchedule(), "" + from, "" + (from + SECONDS_MAX - 1));
        if (reply instanceof List<?> all) {
            all.forEach(one -> seconds.add(new String((byte[]) one, StandardCharsets.UTF_8)));
        }
        return seconds;
    }

    /// How many jobs are delayed. A second whose list Redis refuses counts as one, so that `take`
    /// comes to it.
    int size() {
        int size = 0;
        int from = 0;
        List<String> some = seconds(from);
        while (!some.isEmpty()) {
            for (Object length : lengths(some)) {
                size += length instanceof Long jobs ? jobs.intValue() : 1;
            }
            from += SECONDS_MAX;
            some = seconds(from);
        }
        return size;
    }

    void add(MigrationBatch batch) {
        List<byte[]> names = new ArrayList<>(List.of(Keys.bytes(Keys.added(batch.id()))));
        names.add(Keys.bytes(keys.delayedSchedule()));
        List<byte[]> args = new ArrayList<>();
        for (MigrationBatch.Delayed one : batch.delayed()) {
            names.add(Keys.bytes(keys.delayed(one.second())));
            names.add(keys.timestamps(one.job()));
            args.add(Keys.bytes(one.second()));
            args.add(one.score());
            args.add(Keys.bytes(ResqueKeys.delayedName(one.second())));
            args.add(one.job());
        }
        Object _ = connection.eval(ADD, names, args);
    }

    /// Drops what helps to find jobs that are in the other Redis by now.
    void drop(MigrationBatch batch) {
        for (MigrationBatch.Delayed one : batch.delayed()) {
            connection.queue(
                    ascii("SREM"),
                    keys.timestamps(one.job()),
                    Keys.bytes(ResqueKeys.delayedName(one.second())));
        }
        // A key of another type is none of resque-scheduler's.
        var _ = connection.flush();
    }

    void giveBack(MigrationBatch batch) {
        List<byte[]> names = new ArrayList<>(List.of(Keys.bytes(Keys.BATCH)));
        names.add(Keys.bytes(keys.delayedSchedule()));
        batch.delayed().forEach(one -> names.add(Keys.bytes(keys.delayed(one.second()))));
        Object _ = connection.eval(RETURN, names, List.of(batch.head()));
    }
}
