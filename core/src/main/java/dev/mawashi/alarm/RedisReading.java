package dev.mawashi.alarm;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The state of Redis, and of the queues and sets in it, that alarms are judged by.
///
/// @param roundTrip to it and back
/// @param queues those that this process serves
/// @param suspects jobs of these queues that wait to be run alone
/// @param dead jobs in the dead set
/// @param deadMax jobs that it keeps, by this app's settings
/// @param certificateEnd end of the first certificate to lapse of those that Redis showed; empty
///   without TLS
public record RedisReading(
        Duration roundTrip,
        List<Depth> queues,
        long suspects,
        long dead,
        long deadMax,
        Optional<Instant> certificateEnd) {
    public RedisReading {
        queues = List.copyOf(queues);
    }

    /// The jobs that wait in a queue.
    public record Depth(String queue, long jobs, boolean isPaused) {}
}
