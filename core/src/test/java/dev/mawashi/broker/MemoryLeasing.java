package dev.mawashi.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Leases and recovery in memory. What is compared is compared as with a real Redis.
final class MemoryLeasing implements Leasing, InFlight {
    private final MemoryServer server;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final Comparison comparison;
    private int runId;

    MemoryLeasing(MemoryServer server, Holdings holdings, ArrivalLists arrivals, Runnable pause) {
        this.server = server;
        this.holdings = holdings;
        this.arrivals = arrivals;
        comparison = new Comparison(this, holdings, pause);
    }

    @Override
    public Kept open(String owner, Collection<String> names, Duration length) {
        boolean _ = server.call(state -> lease(state, owner, names, length));
        arrivals.leased(names);
        return new Kept(false, doubt(false), Map.of());
    }

    private boolean lease(
            MemoryState state, String owner, Collection<String> names, Duration length) {
        long lapses = server.now() + length.toNanos();
        boolean isLost = false;
        for (String name : names) {
            isLost |= state.leases(name).put(owner, lapses) == null;
        }
        return isLost;
    }

    @Override
    public Kept renew(String owner, Collection<String> names, Duration length) {
        List<String> kept = new ArrayList<>();
        boolean isLost =
                server.call(state -> {
                    names.stream().filter(n -> !state.isRecovered(n, owner)).forEach(kept::add);
                    return lease(state, owner, kept, length);
                });
        arrivals.leased(kept);
        return new Kept(kept.size() < names.size(), doubt(isLost), Map.of());
    }

    private Doubt doubt(boolean isLost) {
        int present = server.runId();
        boolean isOther = runId != 0 && runId != present;
        runId = present;
        return isLost || isOther || arrivals.takeMissing() ? Doubt.WENT_BACK : Doubt.NONE;
    }

    @Override
    public void onDoubt(Runnable action) {
        arrivals.onDoubt(action);
    }

    @Override
    public Differences compare(String owner, Collection<String> names, boolean hasGoneBack) {
        Set<String> all = new LinkedHashSet<>(names);
        if (hasGoneBack) {
            all.addAll(server.call(state -> List.copyOf(state.servedQueues())));
        }
        return comparison.compare(owner, all, hasGoneBack);
    }

    @Override
    public Map<String, Set<Long>> tokens(String owner, Collection<String> names) {
        return server.call(state -> {
            Map<String, Set<Long>> found = new HashMap<>();
            for (String name : names) {
                found.put(name, new HashSet<>(state.held(name, owner).keySet()));
            }
            return found;
        });
    }

    @Override
    public boolean hasLocks() {
        return true;
    }

    @Override
    public byte[] payload(Lease lease) {
        return server.call(state -> {
            byte[] held = state.held(lease.queue(), lease.owner()).get(lease.token());
            return held == null ? new byte[0] : held;
        });
    }

    @Override
    public int holdAgain(String owner, List<Held> jobs) {
        return server.call(state -> {
            int back = 0;
            for (Held job : jobs) {
                back += state.holdAgain(job, server.now()) ? 1 : 0;
            }
            return back;
        });
    }

    @Override
    public void forget(String owner) {
        holdings.forget(owner);
    }

    @Override
    public List<String> giveUpUnused(String owner, Collection<String> names) {
        return server.call(state -> {
            List<String> kept = new ArrayList<>();
            for (String name : names) {
                if (!state.held(name, owner).isEmpty()
                        || !state.suspicion().waiting(name).isEmpty()) {
                    kept.add(name);
                } else {
                    state.leases(name).remove(owner);
                }
            }
            return kept;
        });
    }

    @Override
    public int release(String owner, Collection<String> names) {
        return server.call(
                state -> names.stream().mapToInt(name -> state.recover(name, owner, false)).sum());
    }

    @Override
    public boolean isAnotherServer() {
        return false;
    }

    @Override
    public List<String> queuesToRecover(String self) {
        return server.call(state -> List.copyOf(new TreeSet<>(state.servedQueues())));
    }

    @Override
    public List<String> queuesWithSuspects() {
        return server.call(state -> {
            List<String> found = new ArrayList<>(state.servedQueues());
            found.removeIf(name -> state.suspicion().waiting(name).isEmpty());
            return found;
        });
    }

    @Override
    public Recovered recover(String queue, String self) {
        return server.call(state -> {
            List<String> lapsed = new ArrayList<>();
            state.leases(queue)
                    .forEach((owner, lapses) -> {
                        if (lapses < server.now() && !owner.equals(self)) {
                            lapsed.add(owner);
                        }
                    });
            int waiting = state.suspicion().waiting(queue).size();
            int jobs = 0;
            for (String owner : lapsed) {
                jobs += state.recover(queue, owner, true);
            }
            List<byte[]> all = state.suspicion().waiting(queue);
            List<byte[]> fresh = all.subList(waiting, all.size());
            return new Recovered(
                    lapsed, new Moved(jobs, List.of()), new Moved(fresh.size(), fresh), all.size());
        });
    }

    @Override
    public void close() {}
}
