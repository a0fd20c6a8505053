package dev.mawashi.broker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// What a `MemoryServer` holds, and the moves of jobs that scripts make in Redis. Guarded by the
/// server's lock.
final class MemoryState {
    private final Map<String, Deque<byte[]>> queues = new HashMap<>();
    private final Map<Holder, NavigableMap<Long, byte[]>> inFlight = new HashMap<>();
    private final Map<Holder, Long> floors = new HashMap<>();
    private final Map<Holder, Deque<byte[]>> arrivals = new HashMap<>();
    private final Map<String, Map<String, Long>> leases = new TreeMap<>();
    private final Map<Scheduling.From, List<Timed>> sets = new HashMap<>();
    private final List<Timed> dead = new ArrayList<>();
    private final Set<Holder> recovered = new HashSet<>();
    private final MemorySuspicion suspicion;

    /// An owner's part of a queue.
    record Holder(String queue, String owner) {}

    /// @param score epoch nanoseconds
    record Timed(long score, byte[] payload) {}

    MemoryState() {
        suspicion = new MemorySuspicion();
    }

    /// Payloads are shared, since nobody changes them.
    MemoryState(MemoryState other) {
        other.queues.forEach((name, jobs) -> queues.put(name, new ArrayDeque<>(jobs)));
        other.inFlight.forEach((holder, held) -> inFlight.put(holder, new TreeMap<>(held)));
        floors.putAll(other.floors);
        other.arrivals.forEach((holder, jobs) -> arrivals.put(holder, new ArrayDeque<>(jobs)));
        other.leases.forEach((name, owners) -> leases.put(name, new TreeMap<>(owners)));
        other.sets.forEach((from, entries) -> sets.put(from, new ArrayList<>(entries)));
        dead.addAll(other.dead);
        recovered.addAll(other.recovered);
        suspicion = new MemorySuspicion(other.suspicion);
    }

    /// Its next job to run is the last.
    Deque<byte[]> queue(String name) {
        return queues.computeIfAbsent(name, _ -> new ArrayDeque<>());
    }

    boolean holdsJob(String queue) {
        return !queue(queue).isEmpty();
    }

    /// Jobs that arrived for an owner; the oldest is the last.
    Deque<byte[]> arrivals(String queue, String owner) {
        return arrivals.computeIfAbsent(new Holder(queue, owner), _ -> new ArrayDeque<>());
    }

    List<byte[]> arrived(String queue) {
        List<byte[]> all = new ArrayList<>();
        arrivals.forEach((holder, jobs) -> {
            if (holder.queue().equals(queue)) {
                all.addAll(jobs);
            }
        });
        return all;
    }

    byte[] arrive(String queue, String owner) {
        byte[] payload = queue(queue).removeLast();
        arrivals(queue, owner).addFirst(payload);
        return payload;
    }

    boolean giveBack(String queue, String owner) {
        Deque<byte[]> arrived = arrivals(queue, owner);
        while (!arrived.isEmpty()) {
            queue(queue).addLast(arrived.removeFirst());
        }
        return true;
    }

    /// What became of a job that arrived.
    record Arrived(boolean isInFlight, boolean isLeased) {}

    /// One whose owner others have recovered stays where it is.
    Arrived putInFlight(Lease lease, long now) {
        String queue = lease.queue();
        NavigableMap<Long, byte[]> held = held(queue, lease.owner());
        boolean isInFlight =
                held.containsKey(lease.token())
                        || (!isRecovered(queue, lease.owner()) && takeArrived(lease));
        if (isInFlight) {
            held.put(lease.token(), lease.payload());
        }
        return new Arrived(isInFlight, isLeased(queue, lease.owner(), now));
    }

    private boolean takeArrived(Lease lease) {
        Iterator<byte[]> arrived = arrivals(lease.queue(), lease.owner()).iterator();
        while (arrived.hasNext()) {
            if (Arrays.equals(arrived.next(), lease.payload())) {
                arrived.remove();
                return true;
            }
        }
        return false;
    }

    NavigableMap<Long, byte[]> held(String queue, String owner) {
        return inFlight.computeIfAbsent(new Holder(queue, owner), _ -> new TreeMap<>());
    }

    List<Lease> held(String queue) {
        List<Lease> all = new ArrayList<>();
        inFlight.forEach((holder, held) -> {
            if (holder.queue().equals(queue)) {
                held.forEach((token, payload) ->
                        all.add(new Lease(queue, holder.owner(), token, payload)));
            }
        });
        return all;
    }

    /// Owners, and when their leases lapse in epoch nanoseconds.
    Map<String, Long> leases(String queue) {
        return leases.computeIfAbsent(queue, _ -> new TreeMap<>());
    }

    Set<String> servedQueues() {
        return leases.keySet();
    }

    boolean isLeased(String queue, String owner, long now) {
        Long lapses = leases(queue).get(owner);
        return lapses != null && lapses >= now;
    }

    /// Whether others have put back what this owner held.
    boolean isRecovered(String queue, String owner) {
        return !leases(queue).containsKey(owner) && recovered.contains(new Holder(queue, owner));
    }

    List<Timed> set(Scheduling.From from) {
        return sets.computeIfAbsent(from, _ -> new ArrayList<>());
    }

    List<Timed> dead() {
        return dead;
    }

    MemorySuspicion suspicion() {
        return suspicion;
    }

    /// A claim below the floor was given up and takes nothing.
    private boolean mayClaim(String queue, String owner, long token, long now) {
        return isLeased(queue, owner, now)
                && token >= floors.getOrDefault(new Holder(queue, owner), 0L);
    }

    /// @param asked whose first token and number of tokens are the claim's
    /// @param marks as those of claim.lua
    Claiming.Claimed claim(MemoryClaiming.Asked asked, String marks, int mostBytes, long now) {
        List<Lease> taken = new ArrayList<>();
        boolean isFenced = false;
        int bytes = 0;
        long token = asked.firstToken();
        for (int i = 0; i < asked.queues().size(); i++) {
            String name = asked.queues().get(i);
            boolean may = mayClaim(name, asked.owner(), token, now);
            Deque<byte[]> arrived = arrivals(name, asked.owner());
            if (marks.charAt(i) == 'p' && !arrived.isEmpty()) {
                continue;
            }
            if (marks.charAt(i) == 'f' && may) {
                giveBack(name, asked.owner());
            }
            isFenced |= !isLeased(name, asked.owner(), now) && holdsJob(name);
            while (may
                    && holdsJob(name)
                    && token < asked.nextToken()
                    && (taken.isEmpty() || bytes < mostBytes)) {
                byte[] payload = queue(name).removeLast();
                bytes += payload.length;
                held(name, asked.owner()).put(token, payload);
                taken.add(new Lease(name, asked.owner(), token++, payload));
            }
        }
        return new Claiming.Claimed(taken, isFenced, Claiming.Met.NOTHING, 0, 0);
    }

    Optional<Claiming.Suspect> claimSuspect(String queue, String owner, long token, long now) {
        if (!mayClaim(queue, owner, token, now)) {
            return Optional.empty();
        }
        Optional<Claiming.Suspect> found = suspicion.claim(queue, owner, token);
        found.ifPresent(one -> held(queue, owner).put(token, one.lease().payload()));
        return found;
    }

    /// What a claim took whose reply was lost goes back, the newest first.
    boolean abandon(String queue, MemoryClaiming.Asked lost) {
        NavigableMap<Long, byte[]> held = held(queue, lost.owner());
        for (long token = lost.nextToken() - 1; token >= lost.firstToken(); token--) {
            byte[] payload = held.remove(token);
            if (payload != null && !suspicion.giveBack(queue, lost.owner(), token, payload)) {
                queue(queue).addLast(payload);
            }
        }
        if (leases(queue).containsKey(lost.owner())) {
            floors.merge(new Holder(queue, lost.owner()), lost.nextToken(), Math::max);
        }
        return true;
    }

    /// @return false when the job is its owner's no more
    boolean settle(Settled one, long now) {
        Lease lease = one.lease();
        byte[] payload = held(lease.queue(), lease.owner()).remove(lease.token());
        if (payload == null) {
            return false;
        }
        switch (one.settlement()) {
            case Settlement.Ack _, Settlement.Arrived _ -> {}
            case Settlement.Requeue _ -> queue(lease.queue()).addLast(payload);
            case Settlement.Bury bury -> dead.add(new Timed(now, bury.payload()));
            case Settlement.Fail fail -> dead.add(new Timed(now, fail.record()));
            case Settlement.Retry retry ->
                    set(Scheduling.From.RETRY)
                            .add(new Timed(now + retry.delay().toNanos(), retry.payload()));
        }
        return true;
    }

    /// @return false when nobody found it there
    boolean take(Scheduling.Entry entry) {
        return set(entry.from()).removeIf(timed -> Arrays.equals(timed.payload(), entry.payload()));
    }

    /// Ends an owner's lease; what it held goes back to the head of the queue, or to the suspects.
    int recover(String queue, String owner, boolean isCrash) {
        NavigableMap<Long, byte[]> held = held(queue, owner);
        Deque<byte[]> arrived = arrivals(queue, owner);
        while (!arrived.isEmpty()) {
            held.put(Long.MAX_VALUE - arrived.size(), arrived.removeLast());
        }
        int jobs = held.size();
        (isCrash
                        ? suspicion.crashed(queue, owner, held)
                        : List.copyOf(held.descendingMap().values()))
                .forEach(queue(queue)::addLast);
        held.clear();
        floors.remove(new Holder(queue, owner));
        if (leases(queue).remove(owner) != null && isCrash) {
            recovered.add(new Holder(queue, owner));
        }
        if (!isCrash && leases(queue).isEmpty()) {
            suspicion.release(queue).reversed().forEach(queue(queue)::addLast);
        }
        return jobs;
    }

    /// @return whether it is in flight again
    boolean holdAgain(InFlight.Held job, long now) {
        Lease lease = job.lease();
        NavigableMap<Long, byte[]> held = held(lease.queue(), lease.owner());
        if (!isLeased(lease.queue(), lease.owner(), now) || held.containsKey(lease.token())) {
            return false;
        }
        held.put(lease.token(), lease.payload());
        job.crashesAlone().ifPresent(crashes -> suspicion.holdAgain(lease, crashes));
        Iterator<byte[]> fromHead = queue(lease.queue()).descendingIterator();
        while (fromHead.hasNext()) {
            if (Arrays.equals(fromHead.next(), lease.payload())) {
                fromHead.remove();
                return true;
            }
        }
        suspicion.leave(lease);
        return true;
    }
}
