package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the locks of jobs that must not be enqueued twice, a part at a time and in no order. A
/// lock that is there all the while is in one part at least, whatever comes or goes; only where
/// most locks go meanwhile, so that Redis makes its table smaller, some may be passed over. One
/// thread's.
public final class LockReader implements AutoCloseable {
    private static final byte[] LOCKS = Keys.bytes(Keys.LOCKS);

    /// Locks that Redis looks at in one step.
    private static final int STEP = 500;

    private static final String BEGIN = "0";
    private static final Pattern PLACE = Pattern.compile("(\\d{1,20})[.]([\\w-]*)");

    private final RedisConnection connection;
    private final LimitedReads reads;

    /// @param connection closed with this
    public LockReader(RedisConnection connection) {
        this.connection = connection;
        reads = new LimitedReads(connection);
    }

    /// A part of the locks.
    ///
    /// @param total all locks, those whose time is over among them until a push takes them out
    /// @param next where the next part begins; "" at the end
    public record Part(List<LockView> found, long total, String next) {
        public Part {
            found = List.copyOf(found);
        }
    }

    /// @param jobClass locks of this class alone; "" for any
    /// @param place where the last part says that the next begins; any other text for the beginning
    public Part part(String jobClass, String place, JobSearch.Limit limit) {
        long now = now();
        List<LockView> found = new ArrayList<>();
        Matcher matcher = PLACE.matcher(place);
        String cursor = matcher.matches() ? matcher.group(1) : BEGIN;
        String after = matcher.matches() ? matcher.group(2) : "";
        String next;
        do {
            LimitedReads.Step step = reads.scanHash(LOCKS, cursor, STEP);
            List<LockView> some = locks(step, jobClass, after, now);
            int room = Math.min(limit.most() - found.size(), some.size());
            found.addAll(some.subList(0, room));
            if (room < some.size()) {
                next = cursor + "." + found.getLast().key();
                break;
            }
            cursor = step.cursor();
            after = "";
            next = cursor.equals(BEGIN) ? "" : cursor + ".";
        } while (!next.isEmpty() && found.size() < limit.most() && !limit.isLate().getAsBoolean());
        return new Part(found, size(), next);
    }

    /// Those of a step, by their keys, so that a part can end within it: Redis may give more at
    /// once than are wanted.
    private static List<LockView> locks(
            LimitedReads.Step step, String jobClass, String after, long now) {
        List<LockView> locks = new ArrayList<>();
        for (int i = 0; i < step.pairs().size(); i += 2) {
            LockView.of(text(step.pairs().get(i)), text(step.pairs().get(i + 1)), now)
                    .filter(lock -> jobClass.isEmpty() || lock.jobClass().equals(jobClass))
                    .filter(lock -> lock.key().compareTo(after) > 0)
                    .ifPresent(locks::add);
        }
        locks.sort(Comparator.comparing(LockView::key));
        return locks;
    }

    /// One lock; empty when nobody holds it.
    ///
    /// @param key its digest
    public Optional<LockView> one(String key) {
        return connection.call(RedisConnection.ascii("HGET"), LOCKS, Keys.bytes(key))
                        instanceof byte[] value
                ? LockView.of(key, text(value), now())
                : Optional.empty();
    }

    private long size() {
        return (Long) Objects.requireNonNull(connection.call("HLEN", Keys.LOCKS));
    }

    private long now() {
        List<?> time = (List<?>) Objects.requireNonNull(connection.call("TIME"));
        return Long.parseLong(text(time.get(0))) * 1_000
                + Long.parseLong(text(time.get(1))) / 1_000;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connection.close();
    }
}
