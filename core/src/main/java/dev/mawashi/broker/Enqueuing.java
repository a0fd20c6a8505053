package dev.mawashi.broker;

import java.time.Instant;
import java.util.List;

/// Puts new jobs into their queue or the schedule set.
public interface Enqueuing extends Session {

    /// Puts jobs at the back of a queue, the first of them to run first.
    void push(String queue, List<byte[]> payloads);

    /// Puts a job into the schedule set.
    void schedule(Instant due, byte[] payload);

    /// Sends everything handed in since the last call, in one round trip.
    ///
    /// Not idempotent: after a `RedisFailure` of kind `UNKNOWN` the jobs may be stored.
    void flush();
}
