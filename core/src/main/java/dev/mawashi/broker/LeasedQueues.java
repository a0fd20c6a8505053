package dev.mawashi.broker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// The queues that this process has a lease on for as long as there is work in them. To lease each
/// of ten thousand queues that are mostly empty would keep Redis busy with nothing else.
///
/// Claimers ask with `use` when they know of a job; the lease's thread opens the lease, says so
/// with `opened`, renews it, and gives it up once nobody has used it for a while and no job is in
/// flight. Only that thread opens and closes, so that a lease which it finds gone was ended by
/// others.
public final class LeasedQueues {
    private final Map<String, Long> usedNanos = new ConcurrentHashMap<>();
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    private final List<Claimer> claimers = new CopyOnWriteArrayList<>();
    private volatile Runnable onWanted = () -> {};

    /// A claimer of such queues.
    ///
    /// @param queues all that it may claim from
    /// @param onOpened called when there is a lease that was not there before
    public record Claimer(Set<String> queues, Runnable onOpened) {}

    /// Makes a claimer known until `forget`.
    public void join(Claimer claimer) {
        claimers.add(claimer);
    }

    /// The reverse of `join`.
    public void forget(Claimer claimer) {
        claimers.remove(claimer);
    }

    /// Whether there is a lease on this queue. If so, the lease is kept; if not, one is asked for.
    public boolean use(String queue) {
        if (usedNanos.computeIfPresent(queue, (_, _) -> System.nanoTime()) != null) {
            return true;
        }
        if (wanted.add(queue)) {
            onWanted.run();
        }
        return false;
    }

    /// Whether there is a lease on this queue.
    public boolean isLeased(String queue) {
        return usedNanos.containsKey(queue);
    }

    /// Sets what is called, on any thread, when a lease is asked for.
    public void onWanted(Runnable action) {
        onWanted = action;
    }

    /// Some of the queues for which a lease was asked and not opened yet.
    public List<String> wanted(int most) {
        return wanted.stream().limit(most).toList();
    }

    /// Notes that there are leases on these queues, and notifies the claimers.
    public void opened(Collection<String> queues) {
        long now = System.nanoTime();
        for (String queue : queues) {
            usedNanos.put(queue, now);
            wanted.remove(queue);
        }
        claimers.forEach(claimer -> claimer.onOpened().run());
    }

    /// Takes out the queues that nobody has used for so long. Nobody claims from them until a lease
    /// on them is asked for and opened again.
    public List<String> takeUnused(long nanos) {
        long since = System.nanoTime() - nanos;
        List<String> unused = new ArrayList<>();
        usedNanos.forEach((queue, used) -> {
            if (used - since < 0 && usedNanos.remove(queue, used)) {
                unused.add(queue);
            }
        });
        return unused;
    }

    /// Forgets all leases: this process goes on as another owner, who has none yet.
    public void clear() {
        usedNanos.clear();
    }
}
