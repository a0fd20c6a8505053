package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The progress of iterable jobs in Redis, as Sidekiq's own code keeps it (docs/formats/sidekiq.md,
/// "Iterable jobs"). One thread's.
public final class IterationTable implements AutoCloseable {
    private static final Script ITERATE = Script.beside(IterationTable.class, "iterate.lua");
    private static final Duration TTL = Duration.ofDays(30);

    private final RedisConnection connection;

    public IterationTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// A job's state: field, value, field, value and so on; empty when there is none.
    public List<byte[]> read(byte[] jid) {
        List<byte[]> fields = new ArrayList<>();
        if (connection.call(RedisConnection.ascii("HGETALL"), Keys.iteration(jid))
                instanceof List<?> replies) {
            replies.forEach(reply -> fields.add((byte[]) reply));
        }
        return fields;
    }

    /// Sets fields of a job's state in one step; `cancelled` keeps the value that it has.
    ///
    /// @param fields field, value, field, value and so on
    /// @return the value of `cancelled`
    public Optional<byte[]> write(byte[] jid, List<byte[]> fields) {
        List<byte[]> args = new ArrayList<>();
        args.add(RedisConnection.ascii(Long.toString(TTL.toSeconds())));
        args.addAll(fields);
        Object reply = connection.eval(ITERATE, List.of(Keys.iteration(jid)), args);
        return Optional.ofNullable((byte[]) reply);
    }

    /// The job is done.
    public void forget(byte[] jid) {
        connection.call(RedisConnection.ascii("UNLINK"), Keys.iteration(jid));
    }

    @Override
    public void close() {
        connection.close();
    }
}
