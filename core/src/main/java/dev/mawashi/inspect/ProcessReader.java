package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads which processes live and what runs in them. One thread's.
public final class ProcessReader implements AutoCloseable {
    private final RedisConnection connection;

    public ProcessReader(RedisConnection connection) {
        this.connection = connection;
    }

    /// The live processes by identity; those whose record has expired are left out.
    public List<ProcessView> processes() {
        List<ProcessView> processes = new ArrayList<>();
        for (String identity : identities()) {
            Map<String, String> record = new HashMap<>();
            hash(connection.call("HGETALL", Keys.process(identity)))
                    .forEach((field, value) -> record.put(field, text(value)));
            ProcessView.of(identity, record).ifPresent(processes::add);
        }
        return processes;
    }

    /// What runs in all of them, longest first.
    public List<WorkView> work() {
        List<WorkView> work = new ArrayList<>();
        for (String identity : identities()) {
            Map<String, byte[]> entries = hash(connection.call("HGETALL", Keys.work(identity)));
            if (entries.isEmpty()) {
                entries = hash(connection.call("HGETALL", Keys.workers(identity)));
            }
            entries.forEach((slot, entry) -> work.add(WorkView.of(identity, slot, entry)));
        }
        work.sort(WorkView.LONGEST_FIRST);
        return work;
    }

    private List<String> identities() {
        List<String> identities = new ArrayList<>();
        if (connection.call("SMEMBERS", Keys.PROCESSES) instanceof List<?> members) {
            for (Object member : members) {
                identities.add(text((byte[]) member));
            }
        }
        identities.sort(Comparator.naturalOrder());
        return identities;
    }

    private static Map<String, byte[]> hash(@Nullable Object reply) {
        Map<String, byte[]> hash = new HashMap<>();
        if (reply instanceof List<?> flat) {
            for (int i = 0; i < flat.size(); i += 2) {
                hash.put(text((byte[]) flat.get(i)), (byte[]) flat.get(i + 1));
            }
        }
        return hash;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connection.close();
    }
}
