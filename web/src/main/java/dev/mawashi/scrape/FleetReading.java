package dev.mawashi.scrape;

import dev.mawashi.figures.Stats;
import dev.mawashi.sizing.WantedSize;
import java.util.List;

/// The figures of all processes and queues, from Redis.
///
/// @param sizes how many processes each pool should have, by the usual bounds
public record FleetReading(Stats stats, List<WantedSize> sizes) {
    public FleetReading {
        sizes = List.copyOf(sizes);
    }
}
