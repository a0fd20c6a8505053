package dev.mawashi.fleet;

import dev.mawashi.inspect.Redactor;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/// Reads which processes live and what runs in them. One thread's.
public final class ProcessReader implements AutoCloseable {
    private final RedisConnection connection;
    private final LimitedReads limited;
    private final Redactor redactor;

    public ProcessReader(RedisConnection connection) {
        this.connection = connection;
        limited = new LimitedReads(connection);
        redactor = new Redactor(connection);
    }

    /// The live processes by identity; those whose record has expired are left out.
    public List<ProcessRecord> processes() {
        return processes(identities());
    }

    private List<ProcessRecord> processes(List<String> identities) {
        List<ProcessRecord> processes = new ArrayList<>();
        forEach(
                identities,
                Keys::process,
                (identity, fields) -> {
                    Map<String, String> record = new HashMap<>();
                    fields.forEach((field, value) -> record.put(field, text(value)));
                    ProcessRecord.of(identity, record).ifPresent(processes::add);
                });
        return processes;
    }

    /// One process; empty when none that lives has this identity.
    public Optional<ProcessRecord> process(String identity) {
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
        Redaction redaction = redactor.redaction();
        List<WorkView> work = new ArrayList<>();
        byIdentity.forEach((identity, entries) ->
                entries.forEach((slot, entry) ->
                        work.add(WorkView.of(identity, WorkEntry.of(slot, entry), redaction))));
        work.sort(WorkView.LONGEST_FIRST);
        return work;
    }

    /// Reads a hash of each process; those that have none, or a key of a wrong type, are left out.
    private void forEach(
            List<String> identities,
            UnaryOperator<String> key,
            BiConsumer<String, Map<String, byte[]>> reader) {
        List<Map<String, byte[]>> hashes =
                limited.hashes(identities.stream().map(one -> Keys.bytes(key.apply(one))).toList());
        for (int i = 0; i < identities.size(); i++) {
            if (!hashes.get(i).isEmpty()) {
                reader.accept(identities.get(i), hashes.get(i));
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

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connection.close();
    }
}
