package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.RunId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Finds jobs that are in no queue and in no set: those that processes have claimed, a page at a
/// time, and the few that lie between. One thread's.
public final class InFlightReader implements AutoCloseable {
    private static final int PAGE = 100;

    /// How many entries are looked at in a list beside a queue. Arrivals are at most one a process.
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

    /// A job in a process's hands.
    ///
    /// @param owner the process in one epoch
    public record Held(String queue, String owner, String token) {
        /// The process's identity.
        public String process() {
            return owner.split("#", 2)[0];
        }
    }

    /// A job beside its queue: an arrival, which the next claim takes, or a suspect, which waits to
    /// be run alone.
    public record Aside(String queue, byte[] payload) {}

    /// The jobs with this jid that are in a process's hands.
    public List<Held> held(String jid) {
        List<Held> found = new ArrayList<>();
        for (String queue : queues()) {
            for (Object owner : list(connection.call("ZRANGE", layout.leases(queue), "0", "-1"))) {
                find(jid, queue, text(owner), found);
            }
        }
        return found;
    }

    private void find(String jid, String queue, String owner, List<Held> found) {
        String cursor = "0";
        do {
            LimitedReads.Step step =
                    limited.scanHash(Keys.bytes(layout.inflight(queue, owner)), cursor, PAGE);
            cursor = step.cursor();
            List<byte[]> pairs = step.pairs();
            for (int i = 0; i < pairs.size(); i += 2) {
                if (is(jid, pairs.get(i + 1))) {
                    found.add(new Held(queue, owner, text(pairs.get(i))));
                }
            }
        } while (!cursor.equals("0"));
    }

    /// The job of this run, while it is in its process's hands.
    public List<Held> held(RunId run) {
        List<Held> found = new ArrayList<>();
        for (String queue : queues()) {
            for (Object owner : list(connection.call("ZRANGE", layout.leases(queue), "0", "-1"))) {
                Held held = new Held(queue, text(owner), Long.toString(run.token()));
                if (run.isOf(held.owner()) && isHeld(held)) {
                    found.add(held);
                }
            }
        }
        return found;
    }

    public boolean isHeld(Held held) {
        String key = layout.inflight(held.queue(), held.owner());
        return Objects.equals(connection.call("HEXISTS", key, held.token()), 1L);
    }

    /// The jobs with this jid that lie beside their queue.
    public List<Aside> aside(String jid) {
        List<Aside> found = new ArrayList<>();
        for (String queue : queues()) {
            for (String key : List.of(layout.sharedArrivals(queue), layout.suspects(queue))) {
                aside(jid, queue, key, found);
            }
        }
        return found;
    }

    private void aside(String jid, String queue, String key, List<Aside> found) {
        int passed = 0;
        while (passed < ASIDE_MAX) {
            List<byte[]> some =
                    limited.part(
                            Keys.bytes(key), LimitedReads.Side.LEFT, passed, ASIDE_MAX - passed);
            for (byte[] payload : some) {
                if (is(jid, payload)) {
                    found.add(new Aside(queue, payload));
                }
            }
            if (some.isEmpty()) {
                return;
            }
            passed += some.size();
        }
    }

    private List<String> queues() {
        return list(connection.call("SMEMBERS", layout.served())).stream()
                .map(InFlightReader::text)
                .toList();
    }

    private static boolean is(String jid, @Nullable Object payload) {
        return JobView.of((byte[]) Objects.requireNonNull(payload)).jid().equals(jid);
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
