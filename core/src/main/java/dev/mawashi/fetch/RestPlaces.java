package dev.mawashi.fetch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The knowledge of `Rest` about its queues, as bits by their place among the names. Guarded by its
/// lock, except the names and their places, which only the claimer's thread changes.
final class RestPlaces {
    private volatile List<String> names = List.of();
    private volatile Map<String, Integer> places = Map.of();

    /// Those that may hold a job.
    BitSet full = new BitSet();

    /// Of these, those that a claim should have emptied.
    BitSet doubted = new BitSet();

    /// Those that are to be looked at.
    BitSet due = new BitSet();

    List<String> names() {
        return names;
    }

    /// By name.
    Map<String, Integer> places() {
        return places;
    }

    /// Is about these from now on. What was known of those that stay still holds; the others are
    /// due.
    void follow(List<String> now) {
        Map<String, Integer> fresh = new HashMap<>();
        BitSet unseen = new BitSet();
        for (String name : now) {
            unseen.set(fresh.size(), !places.containsKey(name));
            fresh.put(name, fresh.size());
        }
        full = moved(full, fresh);
        doubted = moved(doubted, fresh);
        due = moved(due, fresh);
        due.or(unseen);
        names = List.copyOf(now);
        places = fresh;
    }

    private BitSet moved(BitSet bits, Map<String, Integer> fresh) {
        BitSet moved = new BitSet();
        for (String name : named(bits, Set.of())) {
            Integer place = fresh.get(name);
            if (place != null) {
                moved.set(place);
            }
        }
        return moved;
    }

    BitSet undoubted() {
        BitSet some = (BitSet) full.clone();
        some.andNot(doubted);
        return some;
    }

    /// The names of these, but for some.
    List<String> named(BitSet bits, Set<String> butFor) {
        List<String> some = new ArrayList<>();
        for (int place = bits.nextSetBit(0); place >= 0; place = bits.nextSetBit(place + 1)) {
            String name = names.get(place);
            if (!butFor.contains(name)) {
                some.add(name);
            }
        }
        return some;
    }
}
