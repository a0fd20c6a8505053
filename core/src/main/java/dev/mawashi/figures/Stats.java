package dev.mawashi.figures;

import dev.mawashi.redisfacts.Durability;
import dev.mawashi.wire.JsonFields;
import java.util.List;
import java.util.Objects;

/// The figures of one moment.
///
/// @param processed runs ended since the counters were last reset, failed ones among them
/// @param failed runs that failed
/// @param scheduled jobs waiting for their time
/// @param retries failed jobs waiting for their next run
/// @param dead jobs in the dead set
/// @param processes live processes, Sidekiq's and ours
/// @param busy jobs running in them, as of their last beat
/// @param queues every queue by name
public record Stats(
        long processed,
        long failed,
        long scheduled,
        long retries,
        long dead,
        long processes,
        long busy,
        List<QueueStats> queues) {
    public Stats {
        queues = List.copyOf(queues);
    }

    /// Jobs waiting in all queues.
    public long enqueued() {
        return queues.stream().mapToLong(QueueStats::size).sum();
    }

    /// For programs, the same on the command line and over HTTP.
    public String json(Durability durability) {
        return new JsonFields()
                .number("processed", processed)
                .number("failed", failed)
                .number("enqueued", enqueued())
                .number("scheduled", scheduled)
                .number("retries", retries)
                .number("dead", dead)
                .number("processes", processes)
                .number("busy", busy)
                .array("queues", queues.stream().map(QueueStats::json).toList())
                .json("durability", durability.json())
                .toString();
    }

    /// One queue.
    ///
    /// @param size jobs waiting
    /// @param inFlight jobs that Mawashi processes have claimed and not settled
    /// @param latencySeconds how long the next job to run has waited; 0 when there is none
    /// @param isPaused nothing is claimed from it
    /// @param isServed whether a live process has it among its queues, as of its last beat
    /// @param isList false when its key is of a wrong type, so that nobody can use it
    public record QueueStats(
            String name,
            long size,
            long inFlight,
            double latencySeconds,
            boolean isPaused,
            boolean isServed,
            boolean isList) {
        public QueueStats {
            Objects.requireNonNull(name, "name");
        }

        /// For programs, the same on the command line and over HTTP.
        public String json() {
            return new JsonFields()
                    .text("name", name)
                    .number("size", size)
                    .number("in_flight", inFlight)
                    .seconds("latency", latencySeconds)
                    .flag("paused", isPaused)
                    .flag("served", isServed)
                    .toString();
        }
    }
}
