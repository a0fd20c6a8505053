package dev.mawashi.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/// The suspects of a `MemoryBroker`, and what it remembers of crashes. Guarded by its lock.
final class MemorySuspicion {
    private final Map<String, Deque<Suspect>> suspects = new HashMap<>();

    /// Crashes that are noted for jobs which went back to their queue, by queue and bytes.
    private final Map<String, Integer> notes = new HashMap<>();

    private final Map<String, Alone> alone = new HashMap<>();

    /// @param crashes at how many it ran alone
    private record Suspect(byte[] payload, int crashes) {}

    private record Alone(long token, int crashes) {}

    MemorySuspicion() {}

    MemorySuspicion(MemorySuspicion other) {
        other.suspects.forEach((queue, all) -> suspects.put(queue, new ArrayDeque<>(all)));
        notes.putAll(other.notes);
        alone.putAll(other.alone);
    }

    List<byte[]> waiting(String queue) {
        return of(queue).stream().map(Suspect::payload).toList();
    }

    private Deque<Suspect> of(String queue) {
        return suspects.computeIfAbsent(queue, _ -> new ArrayDeque<>());
    }

    /// Takes in the suspects among the jobs of an owner that died.
    ///
    /// @return the others, newest first
    List<byte[]> crashed(String queue, String owner, NavigableMap<Long, byte[]> held) {
        Map<String, Integer> before = new HashMap<>(notes);
        List<byte[]> others = new ArrayList<>();
        held.descendingMap()
                .forEach((token, payload) -> {
                    String id = id(queue, payload);
                    Alone one = alone.get(queue + " " + owner);
                    if (one != null && one.token() == token) {
                        of(queue).addLast(new Suspect(payload, one.crashes() + 1));
                    } else if (before.merge(id, -1, Integer::sum) >= 0) {
                        notes.merge(id, -1, Integer::sum);
                        of(queue).addLast(new Suspect(payload, 0));
                    } else {
                        notes.merge(id, 1, Integer::sum);
                        others.add(payload);
                    }
                });
        return others;
    }

    /// The next suspect of a queue, which runs alone from now on.
    Optional<Claiming.Suspect> claim(String queue, String owner, long token) {
        Suspect one = of(queue).pollLast();
        if (one == null) {
            return Optional.empty();
        }
        alone.put(queue + " " + owner, new Alone(token, one.crashes()));
        Lease lease = new Lease(queue, owner, token, one.payload());
        return Optional.of(new Claiming.Suspect(lease, one.crashes()));
    }

    /// Notes of a job that runs alone that it does, as its claim did.
    void holdAgain(Lease lease, int crashes) {
        alone.put(lease.queue() + " " + lease.owner(), new Alone(lease.token(), crashes));
    }

    /// Takes a job out of the suspects, if it is one.
    void leave(Lease lease) {
        Iterator<Suspect> fromNext = of(lease.queue()).descendingIterator();
        while (fromNext.hasNext()) {
            if (Arrays.equals(fromNext.next().payload(), lease.payload())) {
                fromNext.remove();
                return;
            }
        }
    }

    /// Puts a suspect back whose claim was given up.
    ///
    /// @return false when the job is none
    boolean giveBack(String queue, String owner, long token, byte[] payload) {
        Alone one = alone.get(queue + " " + owner);
        if (one == null || one.token() != token) {
            return false;
        }
        alone.remove(queue + " " + owner);
        of(queue).addLast(new Suspect(payload, one.crashes()));
        return true;
    }

    /// Takes out all suspects of a queue, next to run first.
    List<byte[]> release(String queue) {
        List<byte[]> all = waiting(queue).reversed();
        all.forEach(payload -> notes.merge(id(queue, payload), 1, Integer::sum));
        of(queue).clear();
        return all;
    }

    private static String id(String queue, byte[] payload) {
        return queue + " " + new String(payload, StandardCharsets.ISO_8859_1);
    }
}
