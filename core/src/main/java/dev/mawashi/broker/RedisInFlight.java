package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// In-flight stores in Redis.
final class RedisInFlight implements InFlight {
    private static final Script IN_FLIGHT = Script.beside(RedisInFlight.class, "in_flight.lua");

    /// As they are written, so that a settlement finds the same field.
    private static final Pattern TOKEN = Pattern.compile("[1-9][0-9]{0,17}");

    private static final int JOBS_TOGETHER_MAX = 50;
    private static final int BYTES_TOGETHER_MAX = 1 << 20;

    /// How far into its queue a job is looked for. One that was claimed just after the time to
    /// which Redis went back is at the head.
    private static final byte[] LOOK_MAX = ascii("1000");

    private final RedisConnection connection;
    private final QueueLayout layout;
    private final Script holdAgain;

    RedisInFlight(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
        holdAgain = Sides.of(layout).script("hold_again.lua");
    }

    @Override
    public Map<String, Set<Long>> tokens(String owner, Collection<String> queues) {
        Map<String, Set<Long>> found = new HashMap<>();
        for (List<String> some : ServedQueues.parts(queues)) {
            List<byte[]> keys =
                    some.stream().map(queue -> Keys.bytes(layout.inflight(queue, owner))).toList();
            List<?> reply = (List<?>) connection.eval(IN_FLIGHT, keys, List.of());
            for (int i = 0; reply != null && i < reply.size(); i += 2) {
                String queue = some.get(((Long) reply.get(i)).intValue());
                found.put(queue, tokens((List<?>) reply.get(i + 1)));
            }
        }
        return found;
    }

    /// Fields that are none of our tokens others have written. They keep nobody from comparing.
    private static Set<Long> tokens(List<?> fields) {
        Set<Long> tokens = new HashSet<>();
        for (Object field : fields) {
            String text = new String((byte[]) field, StandardCharsets.ISO_8859_1);
            if (TOKEN.matcher(text).matches()) {
                tokens.add(Long.parseLong(text));
            }
        }
        return tokens;
    }

    @Override
    public boolean hasLocks() {
        connection.queue(ascii("EXISTS"), Keys.bytes(Keys.LOCKS));
        return !Objects.equals(connection.flush().getFirst(), 0L);
    }

    @Override
    public byte[] payload(Lease lease) {
        byte[] store = Keys.bytes(layout.inflight(lease.queue(), lease.owner()));
        connection.queue(ascii("HGET"), store, ascii(Long.toString(lease.token())));
        return connection.flush().getFirst() instanceof byte[] payload ? payload : new byte[0];
    }

    @Override
    public int holdAgain(String owner, List<Held> missing) {
        int back = 0;
        Map<String, List<Held>> byQueue =
                missing.stream().collect(Collectors.groupingBy(job -> job.lease().queue()));
        for (Map.Entry<String, List<Held>> one : byQueue.entrySet()) {
            for (List<Held> some : parts(one.getValue())) {
                queueHoldAgain(owner, one.getKey(), some);
            }
        }
        for (Object reply : connection.flush()) {
            // A refused queue's jobs are run all the same; only a crash would lose them.
            back += reply instanceof Long count ? count.intValue() : 0;
        }
        return back;
    }

    private static List<List<Held>> parts(List<Held> jobs) {
        List<List<Held>> parts = new ArrayList<>();
        int bytes = 0;
        for (Held job : jobs) {
            int size = job.lease().payload().length;
            boolean isFull =
                    parts.isEmpty()
                            || parts.getLast().size() == JOBS_TOGETHER_MAX
                            || bytes + size > BYTES_TOGETHER_MAX;
            if (isFull) {
                parts.add(new ArrayList<>());
                bytes = 0;
            }
            parts.getLast().add(job);
            bytes += size;
        }
        return parts;
    }

    private void queueHoldAgain(String owner, String queue, List<Held> jobs) {
        List<byte[]> args = new ArrayList<>(List.of(Keys.bytes(owner), LOOK_MAX));
        for (Held job : jobs) {
            args.add(ascii(Long.toString(job.lease().token())));
            args.add(job.lease().payload());
            OptionalInt crashes = job.crashesAlone();
            args.add(ascii(crashes.isPresent() ? Integer.toString(crashes.getAsInt()) : ""));
        }
        connection.queueEval(
                holdAgain,
                List.of(
                        Keys.bytes(layout.inflight(queue, owner)),
                        Keys.bytes(layout.leases(queue)),
                        Keys.bytes(layout.queue(queue)),
                        Keys.bytes(layout.arrivals(queue, owner)),
                        Keys.bytes(layout.suspects(queue)),
                        Keys.bytes(layout.crashesAlone(queue))),
                args);
    }
}
