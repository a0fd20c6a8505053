package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.LongStream;

/// Reads Resque's failure lists, a page at a time. One thread's.
public final class FailureReader implements AutoCloseable {
    /// Records that are read at once.
    public static final int PAGE = 100;

    private final RedisConnection connection;
    private final ResqueKeys keys;

    /// What was found.
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

    /// Looks through all lists, from the newest record of each.
    public Found find(FailureQuery query, int most) {
        List<FailureView> first = new ArrayList<>();
        long total = 0;
        for (String list : lists()) {
            long size = size(list);
            for (long end = size; end > 0; end -= PAGE) {
                for (FailureView failure :
                        page(list, Math.max(0, end - PAGE), end, query).reversed()) {
                    total++;
                    if (first.size() < most) {
                        first.add(failure);
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

    /// Those of a list's records that match, the oldest first.
    ///
    /// @param from place of the first record to look at
    /// @param to place of the first one not to look at
    public List<FailureView> page(String list, long from, long to, FailureQuery query) {
        return placed(list, from, to, query).stream().map(Placed::failure).toList();
    }

    /// The record at a place of a list; empty when there is none.
    public Optional<FailureView> at(String list, long place) {
        return records(list, place, place).stream()
                .findFirst()
                .map(record -> FailureView.of(list, (byte[]) record));
    }

    /// The same as `page`, with the places.
    public List<Placed> placed(String list, long from, long to, FailureQuery query) {
        List<Placed> found = new ArrayList<>();
        for (long at = from; at < to; ) {
            LongStream sizes =
                    LongStream.of(at, to - 1)
                            .flatMap(place ->
                                    records(list, place, place).stream()
                                            .mapToLong(record -> ((byte[]) record).length));
            long next = at + JobReader.fitting(to - at, sizes);
            for (Object record : records(list, at, next - 1)) {
                FailureView failure = FailureView.of(list, (byte[]) record);
                if (query.matches(failure)) {
                    found.add(new Placed(at, failure));
                }
                at++;
            }
            at = next;
        }
        return found;
    }

    private List<?> records(String list, long first, long last) {
        Object reply = connection.call("LRANGE", keys.failureList(list), "" + first, "" + last);
        return (List<?>) Objects.requireNonNull(reply);
    }

    @Override
    public void close() {
        connection.close();
    }
}
