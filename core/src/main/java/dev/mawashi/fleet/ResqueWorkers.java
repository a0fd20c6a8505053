package dev.mawashi.fleet;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/// The records of workers and the counters in Redis that Resque's page and API read. One thread's.
public final class ResqueWorkers implements AutoCloseable {
    private static final Script BEAT = Script.beside(ResqueWorkers.class, "resque_beat.lua");

    private final RedisConnection connection;
    private final ResqueKeys keys;

    public ResqueWorkers(RedisConnection connection, ResqueKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    /// All that a process writes at a beat.
    ///
    /// @param ended runs that ended since the last beat
    /// @param at time of the beat, as Resque writes it
    /// @param startedAt when the process started, as Resque writes it
    /// @param workers id to what it runs, in Resque's form, or to "" while it is idle; the runs
    ///   count for the first one
    public record Beat(
            long ended, String at, String startedAt, SequencedMap<String, String> workers) {}

    /// Redis's clock.
    public Instant time() {
        List<?> time = (List<?>) Objects.requireNonNull(connection.call("TIME"));
        return Instant.ofEpochSecond(Long.parseLong(text(time.getFirst())));
    }

    /// Writes the records and adds to the counters, each as far as Redis lets it.
    ///
    /// @throws dev.mawashi.redis.RedisFailure of one command when it did not for one of them
    public void beat(Beat beat) {
        List<String> names = new ArrayList<>();
        names.add(keys.workers());
        names.add(keys.heartbeats());
        names.add(keys.statProcessed());
        names.add(keys.statProcessed(beat.workers().firstEntry().getKey()));
        List<String> args = new ArrayList<>();
        args.add(Long.toString(beat.ended()));
        args.add(beat.at());
        args.add(beat.startedAt());
        beat.workers()
                .forEach((id, running) -> {
                    names.add(keys.worker(id));
                    names.add(keys.workerStarted(id));
                    args.add(id);
                    args.add(running);
                });
        connection.eval(BEAT, bytes(names), bytes(args));
    }

    private static List<byte[]> bytes(List<String> texts) {
        return texts.stream().map(RedisConnection::utf8).toList();
    }

    /// Time of the last beat of each worker that has ever sent one, as Resque writes it.
    public Map<String, String> heartbeats() {
        List<?> all =
                (List<?>) Objects.requireNonNull(connection.call("HGETALL", keys.heartbeats()));
        Map<String, String> beats = new LinkedHashMap<>();
        for (int i = 0; i + 1 < all.size(); i += 2) {
            beats.put(text(all.get(i)), text(all.get(i + 1)));
        }
        return beats;
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }

    /// Removes workers' records, as Resque does when a worker ends. What they ran is no failure: it
    /// is in the in-flight store.
    public void remove(List<String> ids) {
        for (String id : ids) {
            RedisCalls.queue(connection, "SREM", keys.workers(), id);
            RedisCalls.queue(connection, "HDEL", keys.heartbeats(), id);
            RedisCalls.queue(connection, "DEL", keys.worker(id), keys.workerStarted(id));
            RedisCalls.queue(connection, "DEL", keys.statProcessed(id), keys.statFailed(id));
        }
        if (!ids.isEmpty()) {
            RedisCalls.flush(connection);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
