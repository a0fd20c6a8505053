package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.util.Comparator;
import java.util.List;

/// Settles in memory, what was claimed last first.
record MemorySettling(MemoryServer server, Holdings holdings, ArrivalLists arrivals)
        implements Settling {
    @Override
    public SettleReport settle(List<Settled> settled) {
        holdings.sending(settled);
        boolean isKnown = false;
        try {
            putInFlight(settled);
            int late = server.call(state -> settle(state, settled));
            isKnown = true;
            holdings.settled(
                    settled.stream()
                            .filter(one -> !(one.settlement() instanceof Settlement.Arrived))
                            .toList());
            return new SettleReport(late, List.of(), 0, List.of());
        } catch (RedisFailure failure) {
            isKnown = failure.kind() != RedisFailure.Kind.UNKNOWN;
            throw failure;
        } finally {
            holdings.sent(settled, isKnown);
        }
    }

    private void putInFlight(List<Settled> settled) {
        for (Settled one : settled) {
            Lease lease = one.lease();
            if (one.settlement() instanceof Settlement.Arrived && arrivals.isBegun(lease)) {
                note(lease, server.call(state -> state.putInFlight(lease, server.now())));
            }
        }
    }

    private void note(Lease lease, MemoryState.Arrived arrived) {
        holdings.claimed(lease.token(), List.of(lease));
        if (!arrived.isLeased()) {
            arrivals.unleased(lease.queue());
        }
        if (!arrived.isInFlight()) {
            arrivals.missing();
        }
        arrivals.leave(lease.queue(), false);
    }

    /// @return how many came late
    private int settle(MemoryState state, List<Settled> settled) {
        int late = 0;
        for (Settled one : newestFirst(settled)) {
            if (one.settlement() instanceof Settlement.Arrived) {
                continue;
            }
            boolean isLate = !state.settle(one, server.now());
            late += isLate && !one.settlement().equals(Settlement.REQUEUE) ? 1 : 0;
        }
        return late;
    }

    private static List<Settled> newestFirst(List<Settled> settled) {
        return settled.stream()
                .sorted(Comparator.comparingLong((Settled one) -> -one.lease().token()))
                .toList();
    }

    @Override
    public void close() {}
}
