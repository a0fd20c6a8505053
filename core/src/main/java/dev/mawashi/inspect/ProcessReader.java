package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Reads which processes live and what runs in them. One thread's.
public final class ProcessReader implements AutoCloseable {
    private static final byte[] HGETALL = RedisConnection.ascii("HGETALL");

    /// Processes that are looked at in one round trip.
    private static final int TOGETHER = 200;

    private final RedisConnection connection;

    public ProcessReader(RedisConnection connection) {
        this.connection = connection;
    }

    /// The live processes by identity; those whose record has expired are left out.
    public List<ProcessView> processes() {
        return processes(identities());
    }

    private List<ProcessView> processes(List<String> identities) {
        List<ProcessView> processes = new ArrayList<>();
        forEach(
                identities,
                Keys::process,
                (identity, fields) -> {
                    Map<String, String> record = new HashMap<>();
                    fields.forEach((field, value) -> record.put(field, text(value)));
                    ProcessView.of(identity, record).ifPresent(processes::add);
                });
        return processes;
    }

    /// One process; empty when none that lives has this identity.
    public Optional<ProcessView> process(String identity) {
        return isListed(identity)
                ? processes(List.of(identity)).stream().findFirst()
                : Optional.empty();
    }

    /// Anybody may ask for any name, and what lies under it may be large.
    private boolean isListed(String identity) {
        return Long.valueOf(1).equals(connection.call("SISMEMBER", Keys.PROCESSES, identity));
    }

    /// What runs in all of them, longest first.
    public List<WorkView> work() {
        return work(identities());
    }

    /// What runs in one of them, longest first.
    public List<WorkView> work(String identity) {
        return isListed(identity) ? work(List.of(identity)) : List.of();
    }

    private List<WorkView> work(List<String> identities) {
        Map<String, Map<String, byte[]>> byIdentity = new HashMap<>();
        forEach(identities, Keys::work, byIdentity::put);
        List<String> others = new ArrayList<>(identities);
        others.removeAll(byIdentity.keySet());
        forEach(others, Keys::workers, byIdentity::put);
        List<WorkView> work = new ArrayList<>();
        byIdentity.forEach((identity, entries) ->
                entries.forEach((slot, entry) -> work.add(WorkView.of(identity, slot, entry))));
        work.sort(WorkView.LONGEST_FIRST);
        return work;
    }

    /// Reads a hash of each process; those that have none, or a key of a wrong type, are left out.
    private void forEach(
            List<String> identities,
            UnaryOperator<String> key,
            BiConsumer<String, Map<String, byte[]>> reader) {
        for (int from = 0; from < identities.size(); from += TOGETHER) {
            List<String> some =
                    identities.subList(from, Math.min(from + TOGETHER, identities.size()));
            for (String identity : some) {
                connection.queue(HGETALL, Keys.bytes(key.apply(identity)));
            }
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < some.size(); i++) {
                Map<String, byte[]> hash = hash(replies.get(i));
                if (!hash.isEmpty()) {
                    reader.accept(some.get(i), hash);
                }
            }
        }
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
        if (reply instanceof RedisFailure refusal && !refusal.code().equals("WRONGTYPE")) {
            throw refusal;
        }
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
