package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The Redis that jobs leave. They leave it by one batch at a time, whose key is the only place
/// that they are in until the other Redis has them. Each step may be repeated after a lost reply.
/// One thread's.
public final class MigrationSource {
    private static final Script TAKE = Script.beside(MigrationSource.class, "take_batch.lua");
    private static final Script END = Script.beside(MigrationSource.class, "end_batch.lua");
    private static final Script RETURN = Script.beside(MigrationSource.class, "return_batch.lua");

    /// Most jobs of a batch, so that no script holds Redis for long.
    public static final int JOBS_MAX = 500;

    /// Most bytes of one; one job is taken whatever its size.
    private static final byte[] BYTES_MAX = ascii("" + (256 << 10));

    private static final List<byte[]> BATCH = List.of(Keys.bytes(Keys.BATCH));

    private final RedisConnection connection;
    private final Set<String> passedOver = new HashSet<>();

    public MigrationSource(RedisConnection connection) {
        this.connection = connection;
    }

    /// Another program has the turn by now.
    public static final class TurnLost extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /// The batch that has not ended.
    public Optional<MigrationBatch> pending() {
        return batch(connection.call("LRANGE", Keys.BATCH, "0", "-1"));
    }

    private Optional<MigrationBatch> batch(@Nullable Object reply) {
        List<byte[]> elements = new ArrayList<>();
        if (reply instanceof List<?> all) {
            all.forEach(one -> elements.add((byte[]) one));
        }
        return elements.isEmpty() ? Optional.empty() : Optional.of(MigrationBatch.read(elements));
    }

    /// Takes the next batch of a place, while there is no other.
    ///
    /// @param turn what its key holds while it is ours
    /// @param wanted the batch to be, without entries
    /// @return empty where there is nothing to take
    /// @throws TurnLost when it is not ours any more
    public Optional<MigrationBatch> take(String turn, MigrationBatch wanted, int most) {
        List<byte[]> limits = List.of(ascii("" + Math.min(most, JOBS_MAX)), BYTES_MAX);
        Object reply =
                wanted.place().kind() == MigratedPlace.Kind.DELAYED
                        ? new DelayedBatches(connection, wanted.place(), passedOver)
                                .take(turn, wanted, limits)
                        : take(turn, wanted, limits);
        if (reply instanceof Long) {
            throw new TurnLost();
        }
        Optional<MigrationBatch> taken = batch(reply);
        if (taken.isPresent() && !taken.get().isSame(wanted)) {
            throw new TurnLost();
        }
        return taken;
    }

    /// Takes no delayed jobs of these seconds from now on.
    public void passOver(Collection<String> seconds) {
        passedOver.addAll(seconds);
    }

    private @Nullable Object take(String turn, MigrationBatch wanted, List<byte[]> limits) {
        MigratedPlace place = wanted.place();
        return connection.eval(
                TAKE,
                List.of(
                        place.bytes(),
                        BATCH.getFirst(),
                        Keys.bytes(Keys.MIGRATING),
                        Keys.bytes(Keys.LOCKS)),
                List.of(
                        place.word(),
                        Keys.bytes(turn),
                        wanted.head(),
                        limits.getFirst(),
                        limits.getLast(),
                        place.nextSide()));
    }

    /// The locks that jobs of a batch hold: of each its digest and what its field holds.
    public List<byte[]> locks(MigrationBatch batch) {
        List<JobLock> locks = JobLock.all(batch.payloads());
        List<byte[]> held = new ArrayList<>();
        if (locks.isEmpty()) {
            return held;
        }
        List<byte[]> digests = new ArrayList<>(List.of(Keys.bytes(Keys.LOCKS)));
        locks.forEach(lock -> digests.add(lock.digest()));
        List<?> values = (List<?>) Objects.requireNonNull(connection.call(words("HMGET", digests)));
        for (int i = 0; i < locks.size(); i++) {
            if (values.get(i) instanceof byte[] value && isOf(locks.get(i), value)) {
                held.add(locks.get(i).digest());
                held.add(value);
            }
        }
        return held;
    }

    /// The owner is between the first space and the last.
    private static boolean isOf(JobLock lock, byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        String owner = new String(lock.owner(), StandardCharsets.ISO_8859_1);
        int first = text.indexOf(' ');
        int last = text.lastIndexOf(' ');
        return first >= 0 && first < last && text.substring(first + 1, last).equals(owner);
    }

    /// How far those jobs of a batch have come that are iterable.
    public List<IterationState> states(MigrationBatch batch) {
        List<byte[]> keys = new ArrayList<>();
        for (byte[] payload : batch.payloads()) {
            Payload job = Payload.tryParse(payload);
            String jid = job == null ? null : job.text("jid");
            if (jid != null) {
                keys.add(Keys.iteration(Keys.bytes(jid)));
            }
        }
        List<IterationState> states = new ArrayList<>();
        if (keys.isEmpty() || RedisCalls.number(connection.call(words("EXISTS", keys))) == 0) {
            return states;
        }
        for (byte[] key : keys) {
            connection.queue(ascii("HGETALL"), key);
            connection.queue(ascii("TTL"), key);
        }
        List<@Nullable Object> replies = connection.flush();
        for (int i = 0; i < keys.size(); i++) {
            // What has a wrong type is no state.
            if (replies.get(2 * i) instanceof List<?> pairs && !pairs.isEmpty()) {
                states.add(
                        new IterationState(
                                keys.get(i),
                                pairs.stream().map(one -> (byte[]) one).toList(),
                                (Long) Objects.requireNonNull(replies.get(2 * i + 1))));
            }
        }
        return states;
    }

    private static byte[][] words(String verb, List<byte[]> keys) {
        byte[][] command = new byte[1 + keys.size()][];
        command[0] = ascii(verb);
        for (int i = 0; i < keys.size(); i++) {
            command[1 + i] = keys.get(i);
        }
        return command;
    }

    /// Drops states that are in the other Redis.
    public void drop(List<IterationState> states) {
        if (!states.isEmpty()) {
            connection.call(words("DEL", states.stream().map(IterationState::key).toList()));
        }
    }

    /// Forgets a batch that is in the other Redis, and frees the locks that are there too.
    public void end(MigrationBatch batch, List<byte[]> locks) {
        if (batch.place().kind() == MigratedPlace.Kind.DELAYED) {
            new DelayedBatches(connection, batch.place()).drop(batch);
        }
        List<byte[]> args = new ArrayList<>(List.of(batch.head()));
        args.addAll(locks);
        Object _ = connection.eval(END, List.of(BATCH.getFirst(), Keys.bytes(Keys.LOCKS)), args);
    }

    /// Puts a batch back that the other Redis has refused.
    public void giveBack(MigrationBatch batch) {
        MigratedPlace place = batch.place();
        if (place.kind() == MigratedPlace.Kind.DELAYED) {
            new DelayedBatches(connection, place).giveBack(batch);
            return;
        }
        Object _ =
                connection.eval(
                        RETURN,
                        List.of(BATCH.getFirst(), place.bytes()),
                        List.of(place.word(), batch.head(), place.nextSide()));
    }

    /// How many entries a place has.
    public int size(MigratedPlace place) {
        return switch (place.kind()) {
            case LIST, FAILED -> RedisCalls.number(connection.call("LLEN", place.key()));
            case SET -> RedisCalls.number(connection.call("ZCARD", place.key()));
            case COUNT -> RedisCalls.number(connection.call("EXISTS", place.key()));
            case DELAYED -> new DelayedBatches(connection, place).size();
        };
    }
}
