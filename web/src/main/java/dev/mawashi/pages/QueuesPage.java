package dev.mawashi.pages;

import dev.mawashi.figures.ResqueStats;
import dev.mawashi.figures.Stats;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// All queues, Sidekiq's and Resque's.
///
/// @param sort by what, see `SORTS`; any other word is `name`
/// @param drains how long they last, where that is known
/// @param resque none where no app of Resque's is
public record QueuesPage(
        Shell shell,
        List<Stats.QueueStats> queues,
        String sort,
        Map<String, Drain> drains,
        ResqueStats resque) {
    private static final Comparator<Stats.QueueStats> BY_NAME =
            Comparator.comparing(Stats.QueueStats::name);

    private static final Map<String, Comparator<Stats.QueueStats>> SORTS =
            Map.of(
                    "name",
                    BY_NAME,
                    "waiting",
                    Comparator.comparingLong(Stats.QueueStats::size)
                            .reversed()
                            .thenComparing(BY_NAME),
                    "age",
                    Comparator.comparingDouble(Stats.QueueStats::latencySeconds)
                            .reversed()
                            .thenComparing(BY_NAME));

    public QueuesPage {
        sort = SORTS.containsKey(sort) ? sort : "name";
        queues = queues.stream().sorted(SORTS.getOrDefault(sort, BY_NAME)).toList();
        drains = Map.copyOf(drains);
    }
}
