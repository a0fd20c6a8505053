package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Puts new jobs into their queue or the schedule set.
public interface Enqueuing extends Session {

    /// Puts jobs at the back of a queue, the first of them to run first.
    void push(String queue, List<byte[]> payloads);

    /// Puts a job into the schedule set.
    void schedule(Instant due, byte[] payload);

    /// Sends everything handed in since the last call, in one round trip.
    ///
    /// Not idempotent: after a `RedisFailure` of kind `UNKNOWN` the jobs may be stored.
    ///
    /// @return why Redis refused, by the number of the call of `push` or `schedule` that handed the
    ///   jobs in: 0 is the first call since the last flush. Of a refused push some jobs may be
    ///   stored. Empty when everything is stored
    Map<Integer, RedisFailure> flush();
}
