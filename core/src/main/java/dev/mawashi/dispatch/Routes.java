package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Routes jobs whose payload names a runner (`sidekiq_options runner: "fork"`) into the buffer of
/// the capsule that runs those, whichever capsule claimed them. Where there is none, payloads are
/// not looked at.
public final class Routes {
    private static final byte[] FIELD = "\"runner\"".getBytes(StandardCharsets.US_ASCII);

    /// Most names without a route that are reported, once each.
    private static final int STRANGERS_MAX = 100;

    private final Listener listener;
    private final Map<String, LeaseBuffer> buffers = new ConcurrentHashMap<>();
    private final Set<String> strangers = ConcurrentHashMap.newKeySet();

    public Routes(Listener listener) {
        this.listener = listener;
    }

    /// Jobs that name this runner go into this buffer from now on.
    void open(String runner, LeaseBuffer buffer) {
        buffers.put(runner, buffer);
    }

    /// Whether no job is routed anywhere.
    boolean isEmpty() {
        return buffers.isEmpty();
    }

    /// Claimed jobs by their way.
    ///
    /// @param staying those that go nowhere else, in their order
    /// @param surplus those for which there is no room where they go, in their order
    /// @param hasRouted whether any go elsewhere
    record Sorted(List<Lease> staying, List<Lease> surplus, boolean hasRouted) {}

    /// Hands on those that go elsewhere.
    Sorted route(List<Lease> claimed) {
        if (buffers.isEmpty()) {
            return new Sorted(claimed, List.of(), false);
        }
        List<Lease> staying = new ArrayList<>(claimed.size());
        List<Lease> surplus = new ArrayList<>();
        Set<LeaseBuffer> full = new HashSet<>();
        boolean hasRouted = false;
        for (Lease lease : claimed) {
            LeaseBuffer target = target(lease);
            hasRouted |= target != null;
            if (target == null) {
                staying.add(lease);
            } else if (full.contains(target) || target.room() <= 0 || !target.offer(lease)) {
                // Nor is there room then for those behind it, which would overtake it.
                full.add(target);
                surplus.add(lease);
            }
        }
        return new Sorted(staying, surplus, hasRouted);
    }

    /// For how many more jobs there is room in each of them.
    int room() {
        int room = Integer.MAX_VALUE;
        if (buffers.isEmpty()) {
            return room;
        }
        for (LeaseBuffer buffer : buffers.values()) {
            room = Math.min(room, buffer.room());
        }
        return room;
    }

    /// The buffer that a job goes into which any capsule has claimed; null when it stays there.
    @Nullable LeaseBuffer target(Lease lease) {
        boolean mayName = !buffers.isEmpty() && mayName(lease.payload());
        String runner = mayName ? runner(lease.payload()) : null;
        if (runner == null) {
            return null;
        }
        LeaseBuffer target = buffers.get(runner);
        if (target == null && strangers.size() < STRANGERS_MAX && strangers.add(runner)) {
            listener.on(new Event.NoSuchRunner(runner, lease.queue()));
        }
        return target;
    }

    /// Much cheaper than reading the payload, and false for nearly all of them.
    private static boolean mayName(byte[] payload) {
        for (int i = payload.length - FIELD.length; i >= 0; i--) {
            if (payload[i] == '"'
                    && Arrays.equals(payload, i, i + FIELD.length, FIELD, 0, FIELD.length)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String runner(byte[] payload) {
        Payload job = Payload.tryParse(payload);
        return job == null ? null : job.text("runner");
    }
}
