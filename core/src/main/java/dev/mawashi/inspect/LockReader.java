package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the locks of jobs that must not be enqueued twice, our own and then those of the gem
/// sidekiq-unique-jobs, a part at a time and in no order. A lock that is there all the while is in
/// one part at least, whatever comes or goes; only where most locks go meanwhile, so that Redis
/// makes its table smaller, some may be passed over. One thread's.
public final class LockReader implements AutoCloseable {
    private static final byte[] LOCKS = Keys.bytes(Keys.LOCKS);

    /// Locks that Redis looks at in one step.
    private static final int STEP = 500;

    private static final String BEGIN = "0";
    private static final Pattern PLACE =
            Pattern.compile("(?:([12]):)?(\\d{1,20})[.](.*)", Pattern.DOTALL);

    private final RedisConnection connection;
    private final LimitedReads reads;
    private final GemLocks gem;

    /// @param connection closed with this
    public LockReader(RedisConnection connection) {
        this.connection = connection;
        reads = new LimitedReads(connection);
        gem = new GemLocks(connection, reads);
    }

    /// A part of the locks.
    ///
    /// @param total all locks, those whose time is over among them until a push, or the gem's
    ///   reaper, takes them out
    /// @param next where the next part begins; "" at the end
    public record Part(List<LockView> found, long total, String next) {
        public Part {
            found = List.copyOf(found);
        }
    }

    /// The place in all locks: our own come first, then those of each set of the gem.
    ///
    /// @param source 0 for our own
    /// @param cursor of the step through it
    /// @param after keys up to this of the step are behind us
    private record Place(int source, String cursor, String after) {
        static Place of(String text) {
            Matcher matcher = PLACE.matcher(text);
            if (!matcher.matches()) {
                return new Place(0, BEGIN, "");
            }
            String source = Objects.requireNonNullElse(matcher.group(1), "0");
            return new Place(Integer.parseInt(source), matcher.group(2), matcher.group(3));
        }

        String text() {
            return (source > 0 ? source + ":" : "") + cursor + "." + after;
        }
    }

    /// @param jobClass locks of this class alone; "" for any
    /// @param text where the last part says that the next begins; any other text for the beginning
    public Part part(String jobClass, String text, JobSearch.Limit limit) {
        long now = now();
        List<Long> sizes = new ArrayList<>(List.of(size()));
        Keys.GEM_LOCKS.forEach(set -> sizes.add(gem.size(set)));
        long total = sizes.stream().mapToLong(Long::longValue).sum();
        List<LockView> found = new ArrayList<>();
        Place place = Place.of(text);
        do {
            LimitedReads.Step step = step(place);
            List<LockView> some = locks(step, jobClass, place, now);
            int room = Math.min(limit.most() - found.size(), some.size());
            found.addAll(some.subList(0, room));
            if (room < some.size()) {
                String after = found.getLast().key();
                return new Part(found, total, new Place(place.source, place.cursor, after).text());
            }
            place = behind(place, step, sizes);
        } while (place.source < sizes.size()
                && found.size() < limit.most()
                && !limit.isLate().getAsBoolean());
        return new Part(found, total, place.source < sizes.size() ? place.text() : "");
    }

    private LimitedReads.Step step(Place place) {
        return place.source == 0
                ? reads.scanHash(LOCKS, place.cursor, STEP)
                : reads.scanSet(
                        Keys.bytes(Keys.GEM_LOCKS.get(place.source - 1)), place.cursor, STEP, null);
    }

    private static Place behind(Place place, LimitedReads.Step step, List<Long> sizes) {
        if (!step.cursor().equals(BEGIN)) {
            return new Place(place.source, step.cursor(), "");
        }
        int source = place.source + 1;
        while (source < sizes.size() && sizes.get(source) == 0) {
            source++;
        }
        return new Place(source, BEGIN, "");
    }

    /// Those of a step, by their keys, so that a part can end within it: Redis may give more at
    /// once than are wanted.
    private List<LockView> locks(LimitedReads.Step step, String jobClass, Place place, long now) {
        List<LockView> locks =
                place.source == 0 ? own(step, now) : gem.locks(step, place.after, now);
        return locks.stream()
                .filter(lock -> jobClass.isEmpty() || lock.jobClass().equals(jobClass))
                .filter(lock -> lock.key().compareTo(place.after) > 0)
                .sorted(Comparator.comparing(LockView::key))
                .toList();
    }

    private static List<LockView> own(LimitedReads.Step step, long now) {
        List<LockView> locks = new ArrayList<>();
        for (int i = 0; i < step.pairs().size(); i += 2) {
            LockView.of(text(step.pairs().get(i)), text(step.pairs().get(i + 1)), now)
                    .ifPresent(locks::add);
        }
        return locks;
    }

    /// One lock; empty when nobody holds it.
    ///
    /// @param key its digest
    public Optional<LockView> one(String key) {
        if (!JobLock.isDigest(key)) {
            return gem.one(key, now());
        }
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
