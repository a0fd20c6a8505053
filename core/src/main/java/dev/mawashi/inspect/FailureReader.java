package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/// Reads Resque's failure lists, a page at a time. One thread's.
public final class FailureReader implements AutoCloseable {
    /// Records that are read at once.
    public static final int PAGE = 100;

    private final RedisConnection connection;
    private final LimitedReads limited;
    private final ResqueKeys keys;
    private final Redactor redactor;

    /// The failures that a search found.
    ///
    /// @param first the newest
    /// @param total how many match
    public record Found(List<FailureView> first, long total) {
        public Found {
            first = List.copyOf(first);
        }
    }

    /// A record and where it is in its list, from 0 on for the oldest.
    public record Placed(long place, FailureView failure) {}

    public FailureReader(RedisConnection connection, ResqueKeys keys) {
        this.connection = connection;
        limited = new LimitedReads(connection);
        redactor = new Redactor(connection);
        this.keys = keys;
    }

    /// Names of all lists: the common one, and queues' own.
    public List<String> lists() {
        TreeSet<String> own = new TreeSet<>();
        Object reply = Objects.requireNonNull(connection.call("SMEMBERS", keys.failedQueues()));
        for (Object name : (List<?>) reply) {
            own.add(new String((byte[]) name, StandardCharsets.UTF_8));
        }
        List<String> all = new ArrayList<>(List.of("failed"));
        all.addAll(own);
        return all;
    }

    /// Looks through all lists, from the newest record of each; fewer where they are large.
    public Found find(JobQuery query, int most) {
        List<FailureView> first = new ArrayList<>();
        long total = 0;
        long bytes = 0;
        for (String list : lists()) {
            long size = size(list);
            long end = size;
            while (end > 0) {
                Looked looked = before(list, Math.max(0, end - PAGE), end, query);
                end = looked.end();
                total += looked.found().size();
                for (Placed placed : looked.found()) {
                    if (first.size() < most && bytes < LimitedReads.PART_BYTES_MAX) {
                        first.add(placed.failure().shown());
                        bytes += placed.failure().size();
                    }
                }
            }
        }
        return new Found(first, total);
    }

    /// Number of records.
    public long size(String list) {
        return (Long) Objects.requireNonNull(connection.call("LLEN", keys.failureList(list)));
    }

    /// The record at a place of a list; empty when there is none.
    public Optional<FailureView> at(String list, long place) {
        return records(list, LimitedReads.Side.LEFT, place, 1).stream()
                .findFirst()
                .map(record -> FailureView.of(list, record, redactor.redaction()));
    }

    /// The result of a look at some failures.
    ///
    /// @param found those that match
    /// @param end place up to which it has looked from the one side; it ends early where records
    ///   are large
    public record Looked(List<Placed> found, long end) {
        public Looked {
            found = List.copyOf(found);
        }
    }

    /// Those that match from a place on, the oldest first.
    ///
    /// @param to place of the first one not to look at
    public Looked after(String list, long from, long to, JobQuery query) {
        List<Placed> found = new ArrayList<>();
        List<byte[]> records = records(list, LimitedReads.Side.LEFT, from, to - from);
        for (int i = 0; i < records.size(); i++) {
            add(list, from + i, records.get(i), query, found);
        }
        return new Looked(found, records.isEmpty() ? to : from + records.size());
    }

    /// Those that match from the newest on, which is the one before `to`; the newest first.
    public Looked before(String list, long from, long to, JobQuery query) {
        List<Placed> found = new ArrayList<>();
        long size = size(list);
        List<byte[]> records = records(list, LimitedReads.Side.RIGHT, size - to, to - from);
        for (int i = 0; i < records.size(); i++) {
            add(list, to - 1 - i, records.get(i), query, found);
        }
        return new Looked(found, records.isEmpty() ? from : to - records.size());
    }

    private void add(String list, long place, byte[] record, JobQuery query, List<Placed> found) {
        FailureView failure = FailureView.of(list, record, redactor.redaction());
        if (query.matches(failure)) {
            found.add(new Placed(place, failure));
        }
    }

    private List<byte[]> records(String list, LimitedReads.Side side, long passed, long most) {
        return most <= 0
                ? List.of()
                : limited.part(
                        Keys.bytes(keys.failureList(list)),
                        side,
                        passed,
                        (int) Math.min(PAGE, most));
    }

    @Override
    public void close() {
        connection.close();
    }
}
