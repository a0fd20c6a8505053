package dev.mawashi.sizing;

import java.util.List;
import java.util.OptionalDouble;

/// Queues and the live processes that serve them, as of their last beats. Quiet processes do not
/// count: they take no more jobs.
///
/// @param queues by name
/// @param slots jobs that all processes together run at once, at most
/// @param busy jobs that they run
/// @param waiting jobs of queues that are not paused
/// @param latencySeconds wait of the next job so far, the longest of all queues that are not paused
/// @param runSeconds average run time of the jobs that wait; empty when nothing like them has run
///   of late, or nothing waits
public record ServingPool(
        List<String> queues,
        long processes,
        long slots,
        long busy,
        long waiting,
        double latencySeconds,
        OptionalDouble runSeconds) {
    public ServingPool {
        queues = List.copyOf(queues);
    }

    /// Slots of a process on average.
    double slotsEach() {
        return (double) slots / processes;
    }

    /// Share of so many processes' slots that the running jobs take, 0 to 1 or more.
    ///
    /// @return empty when no process shows how many slots it has
    OptionalDouble utilisation(long some) {
        return slots == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(busy / (slotsEach() * (double) some));
    }

    /// Seconds in which so many processes do all waiting jobs.
    ///
    /// @return empty when it is not known how long these run
    OptionalDouble drainSeconds(long some) {
        if (slots == 0) {
            return OptionalDouble.empty();
        }
        return waiting == 0
                ? OptionalDouble.of(0)
                : runSeconds.stream()
                        .map(run -> waiting * run / (slotsEach() * (double) some))
                        .findFirst();
    }
}
