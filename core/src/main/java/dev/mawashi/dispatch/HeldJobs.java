package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.wire.Payload;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The jobs that a child was sent and has not reported, in the order in which it begins them. Safe
/// for any thread.
final class HeldJobs {
    private final Map<String, byte[]> queueNames = new ConcurrentHashMap<>();
    private final Map<Long, Held> held = new LinkedHashMap<>();

    /// Jobs that were taken away from the child and that it may still run.
    private final Set<Long> cut = new HashSet<>();

    /// A job, and since when it is among those that run; 0 before that is known.
    static final class Held {
        private final Lease lease;
        private final @Nullable String jobClass;
        private long runningNanos;

        private Held(Lease lease, @Nullable String jobClass) {
            this.lease = lease;
            this.jobClass = jobClass;
        }

        Lease lease() {
            return lease;
        }

        /// What its run counts under in the metrics; null when its payload names none.
        @Nullable String jobClass() {
            return jobClass;
        }
    }

    /// The jobs of a child that died, by their fate.
    ///
    /// @param running it ran these
    /// @param unharmed it had not begun these; they run elsewhere
    record Fates(List<Lease> running, List<Lease> unharmed) {}

    /// Takes a job in.
    ///
    /// @param id that it gets
    /// @return what the child is sent of it
    Child.Job add(long id, Lease lease) {
        Payload payload = Payload.tryParse(lease.payload());
        synchronized (this) {
            held.put(id, new Held(lease, payload == null ? null : payload.jobClass()));
        }
        return new Child.Job(id, queueName(lease.queue()), lease.payload(), payload != null);
    }

    private byte[] queueName(String queue) {
        return queueNames.computeIfAbsent(queue, name -> name.getBytes(StandardCharsets.UTF_8));
    }

    synchronized int size() {
        return held.size();
    }

    /// The jid of a job that is held; null when that is not known.
    @Nullable String jid(long id) {
        Payload payload = lease(id).map(Lease::payload).map(Payload::tryParse).orElse(null);
        return payload == null ? null : payload.text("jid");
    }

    /// Takes a job out; null when it is not here any more.
    synchronized @Nullable Held take(long id) {
        Held one = held.remove(id);
        if (one == null) {
            cut.remove(id);
        }
        return one;
    }

    synchronized List<Lease> takeAll() {
        List<Lease> all = held.values().stream().map(Held::lease).toList();
        held.clear();
        return all;
    }

    /// Takes all out, so that their ends settle nothing, and remembers that they may still run.
    synchronized List<Lease> cut() {
        cut.addAll(held.keySet());
        return takeAll();
    }

    /// True while the child has a job, be it one that was taken away.
    synchronized boolean isBusy() {
        return !held.isEmpty() || !cut.isEmpty();
    }

    /// The first ones, which are those that run. When they began is not known, only at which call
    /// they first were among them.
    synchronized List<Running> first(int count, long pid) {
        long now = System.nanoTime();
        List<Running> first = new ArrayList<>(count);
        for (Held one : held.values()) {
            if (first.size() == count) {
                break;
            }
            one.runningNanos = one.runningNanos == 0 ? now : one.runningNanos;
            first.add(new Running("child " + pid, pid, one.lease(), one.runningNanos));
        }
        return first;
    }

    synchronized Optional<Lease> lease(long id) {
        return Optional.ofNullable(held.get(id)).map(Held::lease);
    }

    /// The id of a job that is here.
    synchronized OptionalLong id(Lease lease) {
        for (Map.Entry<Long, Held> one : held.entrySet()) {
            if (one.getValue().lease().equals(lease)) {
                return OptionalLong.of(one.getKey());
            }
        }
        return OptionalLong.empty();
    }

    /// Those of these jobs that are held, each with no run time, as `ChildListener.done` takes
    /// them.
    synchronized LongBuffer untold(long[] done) {
        LongBuffer untold = LongBuffer.allocate(2 * done.length);
        for (long id : done) {
            if (held.containsKey(id)) {
                untold.put(id).put(0);
            }
        }
        return untold.flip();
    }

    /// The ids of held jobs that are not among these.
    synchronized long[] without(Set<Long> begun) {
        return held.keySet().stream()
                .filter(id -> !begun.contains(id))
                .mapToLong(id -> id)
                .toArray();
    }

    /// Takes all out and sorts out what a dead child ran.
    ///
    /// @param begun which jobs its threads began last; null when that is not known: then it may
    ///   have run any
    synchronized Fates fates(long @Nullable [] begun) {
        if (begun == null) {
            return new Fates(takeAll(), List.of());
        }
        List<Lease> running = new ArrayList<>();
        for (long id : begun) {
            Held one = held.remove(id);
            if (one != null) {
                running.add(one.lease());
            }
        }
        return new Fates(running, takeAll());
    }
}
