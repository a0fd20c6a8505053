package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import java.time.Duration;
import java.util.List;

/// Limits of the dead set. A burial trims and counts the entries beyond them.
///
/// @param maxJobs Sidekiq's `dead_max_jobs`; as in Sidekiq, one job fewer is kept
/// @param maxAge Sidekiq's `dead_timeout_in_seconds`
public record DeadLimits(int maxJobs, Duration maxAge) {
    /// 10,000 jobs and 180 days, as Sidekiq.
    public static final DeadLimits DEFAULT = new DeadLimits(10_000, Duration.ofDays(180));

    /// What the scripts take: seconds, then jobs.
    public List<byte[]> args() {
        return List.of(ascii(Long.toString(maxAge.toSeconds())), ascii(Integer.toString(maxJobs)));
    }
}
