package dev.mawashi.operate;

import dev.mawashi.inspect.InFlightReader;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// The jobs that an `Eraser` has removed, and those that it could not.
///
/// @param places removed entries by their place, such as `dead` or `queue:low`; with a dry run
///   those that would be
/// @param running jobs in processes' hands that are there still
/// @param refused places that could not be looked through, each with the reason
public record Erased(
        SequencedMap<String, Long> places,
        List<InFlightReader.Holding> running,
        SequencedMap<String, String> refused) {
    public Erased {
        places = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(places));
        running = List.copyOf(running);
        refused = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(refused));
    }

    /// All removed entries.
    public long total() {
        return places.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Whether nothing of it is left in Redis as far as it was looked at.
    public boolean isWhole() {
        return running.isEmpty() && refused.isEmpty();
    }

    /// The same with more jobs that run.
    public Erased and(List<InFlightReader.Holding> more) {
        return new Erased(places, Stream.concat(running.stream(), more.stream()).toList(), refused);
    }

    static void add(Map<String, Long> places, String place, long count) {
        if (count > 0) {
            places.merge(place, count, Long::sum);
        }
    }
}
