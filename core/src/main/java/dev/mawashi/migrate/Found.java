package dev.mawashi.migrate;

import dev.mawashi.tables.MigratedPlace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The jobs and processes that are in the first Redis.
///
/// @param jobs for each place that holds jobs their number, in the order in which they go
/// @param processes that beat there; of Resque its workers
/// @param inFlight jobs in hand of processes, dead ones too
public record Found(SequencedMap<MigratedPlace, Long> jobs, long processes, long inFlight) {
    public Found {
        jobs = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(jobs));
    }

    /// The number of jobs in each place that has any, by its key.
    public Map<String, Long> sizes() {
        Map<String, Long> sizes = new TreeMap<>();
        jobs.forEach((place, size) -> sizes.put(place.key(), size));
        sizes.values().removeIf(size -> size == 0);
        return sizes;
    }

    /// All that waits.
    public long sum() {
        return jobs.values().stream().mapToLong(n -> n).sum();
    }
}
