package dev.mawashi.broker;

import dev.mawashi.wire.JobLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Compares what Redis has in flight for an owner with what this process holds.
///
/// While it looks, jobs are claimed and settled. So a difference counts only if a second look finds
/// it too: what Redis still has after this process knew it settled, and what this process still
/// holds a while after Redis did not have it.
final class Comparison {
    /// Longer than a settlement's round trip, during which this process holds a job that Redis has
    /// no more.
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final InFlight inFlight;
    private final Holdings holdings;
    private final Runnable pause;

    Comparison(InFlight inFlight, Holdings holdings) {
        this(inFlight, holdings, () -> LockSupport.parkNanos(PAUSE.toNanos()));
    }

    /// @param pause between the two looks at what is missing
    Comparison(InFlight inFlight, Holdings holdings, Runnable pause) {
        this.inFlight = inFlight;
        this.holdings = holdings;
        this.pause = pause;
    }

    Leasing.Differences compare(String owner, Collection<String> queues, boolean hasGoneBack) {
        Map<String, Set<Long>> present = inFlight.tokens(owner, queues);
        List<InFlight.Held> missing = hasGoneBack ? missing(owner, present) : List.of();
        List<Settled> surplus = surplus(owner, present);
        if (!surplus.isEmpty()) {
            Map<String, Set<Long>> again = inFlight.tokens(owner, queuesOf(surplus));
            surplus.removeIf(one -> !has(again, one.lease()));
            if (inFlight.hasLocks()) {
                surplus.replaceAll(this::withLock);
            }
        }
        int heldAgain = missing.isEmpty() ? 0 : inFlight.holdAgain(owner, missing);
        return new Leasing.Differences(surplus, heldAgain);
    }

    /// An end frees the job's lock, which only the payload names.
    private Settled withLock(Settled one) {
        if (!(one.settlement() instanceof Settlement.Ack)) {
            return one;
        }
        Lease bare = one.lease();
        byte[] payload = inFlight.payload(bare);
        return JobLock.of(payload) == null
                ? one
                : new Settled(
                        new Lease(bare.queue(), bare.owner(), bare.token(), payload),
                        one.settlement());
    }

    private static boolean has(Map<String, Set<Long>> present, Lease lease) {
        return present.getOrDefault(lease.queue(), Set.of()).contains(lease.token());
    }

    private static Set<String> queuesOf(List<Settled> settled) {
        return settled.stream().map(one -> one.lease().queue()).collect(Collectors.toSet());
    }

    private List<Settled> surplus(String owner, Map<String, Set<Long>> present) {
        List<Settled> surplus = new ArrayList<>();
        present.forEach((queue, tokens) -> {
            for (long token : tokens) {
                @Nullable Settlement due = holdings.due(token);
                if (due != null) {
                    surplus.add(new Settled(new Lease(queue, owner, token, new byte[0]), due));
                }
            }
        });
        return surplus;
    }

    private List<InFlight.Held> missing(String owner, Map<String, Set<Long>> present) {
        List<Lease> missing = new ArrayList<>(holdings.held(owner));
        missing.removeIf(lease -> has(present, lease));
        if (missing.isEmpty()) {
            return List.of();
        }
        pause.run();
        return holdings.stillHeld(missing).stream()
                .map(lease -> new InFlight.Held(lease, holdings.crashesAlone(lease.token())))
                .toList();
    }
}
