package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.Redaction;
import dev.mawashi.wire.RunId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds jobs that are in no queue and in no set: those that processes have claimed, a page at a
/// time, and the few that lie between. One thread's.
public final class InFlightReader implements AutoCloseable {
    private static final int PAGE = 100;

    /// How many entries are looked at in a list beside a queue. Arrivals are few.
    private static final int ASIDE_MAX = 1_000;

    private final RedisConnection connection;
    private final LimitedReads limited;
    private final QueueLayout layout;

    /// @param layout of the queues that it looks at
    public InFlightReader(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        limited = new LimitedReads(connection);
        this.layout = layout;
    }

    /// A job in a process's hands, whether it is in flight or has only arrived: then it runs
    /// already, most often.
    ///
    /// @param owner the process in one epoch
    /// @param look asks whether it still is
    public record Held(String queue, String owner, BooleanSupplier look) {
        /// The process's identity.
        public String process() {
            return owner.split("#", 2)[0];
        }
    }

    /// A job beside its queue: an arrival of an older build, which a sweep puts back, or a suspect,
    /// which waits to be run alone.
    public record Aside(String queue, byte[] payload) {}

    /// The jobs with this jid that are in a process's hands.
    public List<Held> held(String jid) {
        List<Held> found = new ArrayList<>();
        for (Place place : places()) {
            // In this order, in which it goes through them.
            if (hasArrived(place, jid)) {
                found.add(
                        place.held(() -> hasArrived(place, jid) || !tokens(place, jid).isEmpty()));
                continue;
            }
            for (String token : tokens(place, jid)) {
                found.add(place.held(() -> isInFlight(place, token)));
            }
        }
        return found;
    }

    /// A process's place for its jobs of a queue.
    private record Place(String queue, String owner) {
        Held held(BooleanSupplier look) {
            return new Held(queue, owner, look);
        }

        Holding holding(long token, byte[] payload) {
            JobView job = JobView.of(payload, Redaction.NONE);
            return new Holding(queue, owner, token, job.jobClass(), job.jid());
        }
    }

    private List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (String queue : queues()) {
            for (Object owner : list(connection.call("ZRANGE", layout.leases(queue), "0", "-1"))) {
                places.add(new Place(queue, text(owner)));
            }
        }
        return places;
    }

    private boolean hasArrived(Place place, String jid) {
        return !matching(jid, layout.arrivals(place.queue(), place.owner())).isEmpty();
    }

    private List<String> tokens(Place place, String jid) {
        List<String> tokens = new ArrayList<>();
        byte[] key = Keys.bytes(layout.inflight(place.queue(), place.owner()));
        String cursor = "0";
        do {
            LimitedReads.Step step = limited.scanHash(key, cursor, PAGE);
            cursor = step.cursor();
            List<byte[]> pairs = step.pairs();
            for (int i = 0; i < pairs.size(); i += 2) {
                if (is(jid, pairs.get(i + 1))) {
                    tokens.add(text(pairs.get(i)));
                }
            }
        } while (!cursor.equals("0"));
        return tokens;
    }

    private boolean isInFlight(Place place, String token) {
        String key = layout.inflight(place.queue(), place.owner());
        return Objects.equals(connection.call("HEXISTS", key, token), 1L);
    }

    /// The job of this run, while it is in its process's hands. What has arrived there and is not
    /// in flight has no token yet that could be read: it may be this one.
    public List<Held> held(RunId run) {
        String token = Long.toString(run.token());
        List<Held> found = new ArrayList<>();
        for (Place place : places()) {
            if (!run.isOf(place.owner())) {
                continue;
            }
            if (hasArrivals(place)) {
                found.add(place.held(() -> hasArrivals(place) || isInFlight(place, token)));
            } else if (isInFlight(place, token)) {
                found.add(place.held(() -> isInFlight(place, token)));
            }
        }
        return found;
    }

    private boolean hasArrivals(Place place) {
        String key = layout.arrivals(place.queue(), place.owner());
        return !Objects.equals(connection.call("LLEN", key), 0L);
    }

    public boolean isHeld(Held held) {
        return held.look().getAsBoolean();
    }

    /// A job that a process has in hand.
    ///
    /// @param owner the process in one epoch
    /// @param token of its run; 0 where it has only arrived
    /// @param jid "" for a job of Resque's
    public record Holding(String queue, String owner, long token, String jobClass, String jid) {
        /// The process's identity.
        public String process() {
            return owner.split("#", 2)[0];
        }
    }

    /// The jobs in processes' hands whose payload is wanted.
    public List<Holding> holdings(Predicate<byte[]> wanted) {
        List<Holding> found = new ArrayList<>();
        for (Place place : places()) {
            String arrivals = layout.arrivals(place.queue(), place.owner());
            matching(wanted, arrivals).forEach(job -> found.add(place.holding(0, job)));
            byte[] key = Keys.bytes(layout.inflight(place.queue(), place.owner()));
            String cursor = "0";
            do {
                LimitedReads.Step step = limited.scanHash(key, cursor, PAGE);
                cursor = step.cursor();
                List<byte[]> pairs = step.pairs();
                for (int i = 0; i < pairs.size(); i += 2) {
                    String token = text(pairs.get(i));
                    if (token.matches("\\d{1,18}") && wanted.test(pairs.get(i + 1))) {
                        found.add(place.holding(Long.parseLong(token), pairs.get(i + 1)));
                    }
                }
            } while (!cursor.equals("0"));
        }
        return found;
    }

    /// The jobs with this jid that lie beside their queue.
    public List<Aside> aside(String jid) {
        List<Aside> found = new ArrayList<>();
        for (String queue : queues()) {
            for (String key : List.of(layout.sharedArrivals(queue), layout.suspects(queue))) {
                matching(jid, key).forEach(payload -> found.add(new Aside(queue, payload)));
            }
        }
        return found;
    }

    private List<byte[]> matching(String jid, String key) {
        return matching(payload -> is(jid, payload), key);
    }

    private List<byte[]> matching(Predicate<byte[]> wanted, String key) {
        List<byte[]> found = new ArrayList<>();
        int passed = 0;
        while (passed < ASIDE_MAX) {
            List<byte[]> some =
                    limited.part(
                            Keys.bytes(key), LimitedReads.Side.LEFT, passed, ASIDE_MAX - passed);
            some.stream().filter(wanted).forEach(found::add);
            if (some.isEmpty()) {
                break;
            }
            passed += some.size();
        }
        return found;
    }

    private List<String> queues() {
        return list(connection.call("SMEMBERS", layout.served())).stream()
                .map(InFlightReader::text)
                .toList();
    }

    private static boolean is(String jid, @Nullable Object payload) {
        return JobView.of((byte[]) Objects.requireNonNull(payload), Redaction.NONE)
                .jid()
                .equals(jid);
    }

    private static String text(@Nullable Object reply) {
        return new String((byte[]) Objects.requireNonNull(reply), StandardCharsets.UTF_8);
    }

    private static List<?> list(@Nullable Object reply) {
        return (List<?>) Objects.requireNonNull(reply);
    }

    @Override
    public void close() {
        connection.close();
    }
}
