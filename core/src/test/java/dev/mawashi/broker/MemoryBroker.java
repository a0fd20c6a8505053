package dev.mawashi.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A broker in memory that keeps the same promises as the one in Redis: all state is guarded by one
/// lock, which stands for Redis's one thread.
public final class MemoryBroker implements Broker {
    private final MemoryLock lock = new MemoryLock();
    private final Map<String, Deque<byte[]>> queues = new HashMap<>();
    private final Map<String, Map<String, NavigableMap<Long, byte[]>>> inFlight = new HashMap<>();
    private final Map<String, Map<String, Long>> leases = new HashMap<>();
    private final Map<Scheduling.From, List<Timed>> sets = new HashMap<>();
    private final MemorySuspicion suspicion = new MemorySuspicion();
    private final List<Timed> dead = new ArrayList<>();
    private final Set<String> recovered = new HashSet<>();
    private long nextToken = 1;

    /// @param score epoch nanoseconds
    private record Timed(long score, byte[] payload) {}

    private static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private Deque<byte[]> queue(String name) {
        return queues.computeIfAbsent(name, _ -> new ArrayDeque<>());
    }

    private NavigableMap<Long, byte[]> held(String queue, String owner) {
        return inFlight.computeIfAbsent(queue, _ -> new HashMap<>())
                .computeIfAbsent(owner, _ -> new TreeMap<>());
    }

    private Map<String, Long> leasesOn(String queue) {
        return leases.computeIfAbsent(queue, _ -> new HashMap<>());
    }

    private List<Timed> set(Scheduling.From from) {
        return sets.computeIfAbsent(from, _ -> new ArrayList<>());
    }

    public List<byte[]> queued(String queue) {
        return lock.locked(() -> List.copyOf(queue(queue)).reversed());
    }

    public List<byte[]> inFlight(String queue) {
        return lock.locked(() -> {
            List<byte[]> held = new ArrayList<>();
            inFlight.getOrDefault(queue, Map.of())
                    .values()
                    .forEach(owned -> held.addAll(owned.values()));
            return held;
        });
    }

    public List<byte[]> suspectsOf(String queue) {
        return lock.locked(() -> suspicion.waiting(queue));
    }

    public List<byte[]> scheduled(Scheduling.From from) {
        return lock.locked(() -> set(from).stream().map(Timed::payload).toList());
    }

    public List<byte[]> dead() {
        return lock.locked(() -> dead.stream().map(Timed::payload).toList());
    }

    @Override
    public Enqueuing enqueuing() {
        return new MemoryEnqueuing(
                lock,
                (queue, payload) -> queue(queue).addFirst(payload),
                (due, payload) -> set(Scheduling.From.SCHEDULE).add(new Timed(due, payload)));
    }

    @Override
    public Claiming claiming() {
        return new MemoryClaiming(this);
    }

    Claiming.Claimed claim(List<String> names, String owner, int most, int mostBytes) {
        return lock.locked(() -> claimLocked(names, owner, most, mostBytes));
    }

    Optional<Claiming.Suspect> claimSuspect(List<String> names, String owner) {
        return lock.locked(() -> claimSuspectLocked(names, owner));
    }

    private Claiming.Claimed claimLocked(
            List<String> names, String owner, int most, int mostBytes) {
        List<Lease> taken = new ArrayList<>();
        boolean isFenced = false;
        int bytes = 0;
        for (String name : names) {
            Long lapses = leasesOn(name).get(owner);
            boolean isLeased = lapses != null && lapses >= now();
            isFenced |= !isLeased && !queue(name).isEmpty();
            while (isLeased
                    && !queue(name).isEmpty()
                    && taken.size() < most
                    && (taken.isEmpty() || bytes < mostBytes)) {
                byte[] payload = queue(name).removeLast();
                bytes += payload.length;
                long token = nextToken++;
                held(name, owner).put(token, payload);
                taken.add(new Lease(name, owner, token, payload));
            }
        }
        return new Claiming.Claimed(taken, isFenced, 0, 0, 0);
    }

    private Optional<Claiming.Suspect> claimSuspectLocked(List<String> names, String owner) {
        for (String name : names) {
            Optional<Claiming.Suspect> found = suspicion.claim(name, owner, nextToken++);
            if (found.isPresent()) {
                Lease lease = found.get().lease();
                held(name, owner).put(lease.token(), lease.payload());
                return found;
            }
        }
        return Optional.empty();
    }

    @Override
    public Parking parking() {
        return new MemoryParking(lock, queue -> !queue(queue).isEmpty());
    }

    @Override
    public Watching watching() {
        return new MemoryWatching(lock, queue -> !queue(queue).isEmpty());
    }

    @Override
    public Settling settling() {
        return new Settling() {
            @Override
            public SettleReport settle(List<Settled> settled) {
                return lock.locked(() -> {
                    int late = 0;
                    for (Settled one : newestFirst(settled)) {
                        boolean isLate = !settleLocked(one);
                        late += isLate && !one.settlement().equals(Settlement.REQUEUE) ? 1 : 0;
                    }
                    return new SettleReport(late, List.of(), 0, List.of());
                });
            }

            @Override
            public void close() {}
        };
    }

    private static List<Settled> newestFirst(List<Settled> settled) {
        return settled.stream()
                .sorted(Comparator.comparingLong((Settled one) -> -one.lease().token()))
                .toList();
    }

    private boolean settleLocked(Settled one) {
        Lease lease = one.lease();
        byte[] payload = held(lease.queue(), lease.owner()).remove(lease.token());
        if (payload == null) {
            return false;
        }
        switch (one.settlement()) {
            case Settlement.Ack _ -> {}
            case Settlement.Requeue _ -> queue(lease.queue()).addLast(payload);
            case Settlement.Bury bury -> dead.add(new Timed(now(), bury.payload()));
            case Settlement.Fail fail -> dead.add(new Timed(now(), fail.record()));
            case Settlement.Retry retry ->
                    set(Scheduling.From.RETRY)
                            .add(new Timed(now() + retry.delay().toNanos(), retry.payload()));
        }
        return true;
    }

    @Override
    public Scheduling scheduling() {
        return new MemoryScheduling();
    }

    private final class MemoryScheduling implements Scheduling {
        private volatile boolean isWoken;

        @Override
        public Due due(int most, int mostBytes) {
            return lock.locked(() -> {
                long now = now();
                OptionalLong next = OptionalLong.empty();
                List<Entry> entries = new ArrayList<>();
                for (From from : From.values()) {
                    for (Timed timed : set(from)) {
                        long millis = Math.ceilDiv(timed.score() - now, 1_000_000L);
                        if (timed.score() <= now) {
                            entries.add(new Entry(from, timed.payload()));
                        } else if (next.isEmpty() || millis < next.getAsLong()) {
                            next = OptionalLong.of(millis);
                        }
                    }
                }
                return new Due(entries.subList(0, Math.min(most, entries.size())), next, Map.of());
            });
        }

        @Override
        public Promoted promote(List<Promotion> promotions) {
            return lock.locked(() -> {
                int moved = 0;
                for (Promotion one : promotions) {
                    if (remove(one.entry())) {
                        queue(one.queue()).addFirst(one.payload());
                        moved++;
                    }
                }
                return new Promoted(moved, Map.of());
            });
        }

        private boolean remove(Entry entry) {
            return set(entry.from())
                    .removeIf(timed -> Arrays.equals(timed.payload(), entry.payload()));
        }

        @Override
        public int bury(Entry entry) {
            lock.locked(() -> remove(entry) && dead.add(new Timed(now(), entry.payload())));
            return 0;
        }

        @Override
        public void awaitChange(Duration wait) {
            lock.awaitUntil(wait.compareTo(POLL) < 0 ? wait : POLL, () -> isWoken);
            isWoken = false;
        }

        @Override
        public void wake() {
            lock.locked(() -> isWoken = true);
        }

        @Override
        public void close() {}
    }

    private static final Duration POLL = Duration.ofMillis(10);

    @Override
    public Leasing leasing() {
        return new MemoryLeasing();
    }

    private final class MemoryLeasing implements Leasing {
        @Override
        public Kept open(String owner, Collection<String> names, Duration length) {
            return lock.locked(() -> {
                names.forEach(name -> leasesOn(name).put(owner, now() + length.toNanos()));
                return new Kept(false, Doubt.NONE, Map.of());
            });
        }

        @Override
        public Kept renew(String owner, Collection<String> names, Duration length) {
            return lock.locked(() -> {
                List<String> kept = names.stream().filter(n -> !isRecovered(n, owner)).toList();
                boolean isLost = kept.stream().anyMatch(n -> !leasesOn(n).containsKey(owner));
                kept.forEach(name -> leasesOn(name).put(owner, now() + length.toNanos()));
                boolean isFenced = kept.size() < names.size();
                return new Kept(isFenced, isLost ? Doubt.WENT_BACK : Doubt.NONE, Map.of());
            });
        }

        private boolean isRecovered(String name, String owner) {
            return !leasesOn(name).containsKey(owner) && recovered.contains(name + " " + owner);
        }

        @Override
        public Differences compare(String owner, Collection<String> names, boolean hasGoneBack) {
            // This memory does not go back in time.
            return new Differences(List.of(), 0);
        }

        @Override
        public void forget(String owner) {
            // As above: what an owner holds is in one place only.
        }

        @Override
        public List<String> giveUpUnused(String owner, Collection<String> names) {
            return lock.locked(() -> {
                List<String> kept = new ArrayList<>();
                for (String name : names) {
                    if (!held(name, owner).isEmpty() || !suspicion.waiting(name).isEmpty()) {
                        kept.add(name);
                    } else {
                        leasesOn(name).remove(owner);
                    }
                }
                return kept;
            });
        }

        @Override
        public int release(String owner, Collection<String> names) {
            return lock.locked(
                    () -> names.stream().mapToInt(name -> recoverLocked(name, owner, false)).sum());
        }

        @Override
        public List<String> queuesToRecover(String self) {
            return lock.locked(() -> List.copyOf(new TreeSet<>(leases.keySet())));
        }

        @Override
        public List<String> queuesWithSuspects() {
            return lock.locked(() ->
                    leases.keySet().stream()
                            .filter(name -> !suspicion.waiting(name).isEmpty())
                            .toList());
        }

        @Override
        public Recovered recover(String queue, String self) {
            return lock.locked(() -> {
                List<String> lapsed = new ArrayList<>();
                leasesOn(queue)
                        .forEach((owner, lapses) -> {
                            if (lapses < now() && !owner.equals(self)) {
                                lapsed.add(owner);
                            }
                        });
                int waiting = suspicion.waiting(queue).size();
                int jobs = 0;
                for (String owner : lapsed) {
                    jobs += recoverLocked(queue, owner, true);
                }
                List<byte[]> all = suspicion.waiting(queue);
                List<byte[]> fresh = all.subList(waiting, all.size());
                return new Recovered(
                        lapsed,
                        new Moved(jobs, List.of()),
                        new Moved(fresh.size(), fresh),
                        all.size());
            });
        }

        private int recoverLocked(String queue, String owner, boolean isCrash) {
            NavigableMap<Long, byte[]> held = held(queue, owner);
            int jobs = held.size();
            (isCrash
                            ? suspicion.crashed(queue, owner, held)
                            : List.copyOf(held.descendingMap().values()))
                    .forEach(queue(queue)::addLast);
            held.clear();
            if (leasesOn(queue).remove(owner) != null && isCrash) {
                recovered.add(queue + " " + owner);
            }
            if (!isCrash && leasesOn(queue).isEmpty()) {
                suspicion.release(queue).reversed().forEach(queue(queue)::addLast);
            }
            return jobs;
        }

        @Override
        public void close() {}
    }
}
