package dev.mawashi.client;

import java.util.List;

/// Where new jobs go. Safe for any thread.
public interface JobSink {

    /// Stores all jobs in one round trip, in order; a job is either in Redis when this returns or
    /// this throws.
    ///
    /// @throws dev.mawashi.redis.RedisFailure when Redis cannot be reached or refuses
    void enqueue(List<NewJob> jobs);
}
