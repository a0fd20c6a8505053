package dev.mawashi.fleet;

import dev.mawashi.inspect.Redactor;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.Redaction;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads what Resque's workers run, ours among them (docs/formats/resque.md, "Workers"). One
/// thread's.
public final class ResqueWorkReader implements AutoCloseable {
    private final RedisConnection connection;
    private final ResqueKeys keys;
    private final Redactor redactor;

    public ResqueWorkReader(RedisConnection connection, ResqueKeys keys) {
        this.connection = connection;
        this.keys = keys;
        redactor = new Redactor(connection);
    }

    /// What runs in all of them, longest first.
    public List<WorkView> work() {
        List<String> ids =
                list(connection.call("SMEMBERS", keys.workers())).stream()
                        .map(id -> new String((byte[]) id, StandardCharsets.UTF_8))
                        .sorted()
                        .toList();
        Redaction redaction = redactor.redaction();
        List<WorkView> work = new ArrayList<>();
        List<byte @Nullable []> records =
                new LimitedReads(connection)
                        .texts(ids.stream().map(id -> Keys.bytes(keys.worker(id))).toList());
        for (int i = 0; i < ids.size(); i++) {
            byte[] record = records.get(i);
            if (record != null) {
                work.add(WorkView.of(ids.get(i), WorkEntry.ofWorker(record), redaction));
            }
        }
        work.sort(WorkView.LONGEST_FIRST);
        return work;
    }

    private static List<?> list(@Nullable Object reply) {
        return (List<?>) Objects.requireNonNull(reply);
    }

    @Override
    public void close() {
        connection.close();
    }
}
