package dev.mawashi.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The destination of new jobs. Safe for any thread.
public interface JobSink {

    /// Stores all jobs in one round trip, in order. When it returns they are in Redis; otherwise it
    /// throws.
    ///
    /// @throws dev.mawashi.redis.RedisFailure when Redis cannot be reached or refuses
    void enqueue(List<NewJob> jobs);

    /// Stores what several callers enqueue, each as by `enqueue`, and in one round trip where that
    /// can be had.
    ///
    /// @return for each caller null, or why not all of its jobs are stored
    default List<@Nullable RuntimeException> enqueueEach(List<List<NewJob>> callers) {
        List<@Nullable RuntimeException> refusals = new ArrayList<>();
        for (List<NewJob> jobs : callers) {
            RuntimeException refusal = null;
            try {
                enqueue(jobs);
            } catch (RuntimeException e) {
                refusal = e;
            }
            refusals.add(refusal);
        }
        return refusals;
    }
}
