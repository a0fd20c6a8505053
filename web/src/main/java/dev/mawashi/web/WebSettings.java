package dev.mawashi.web;

import dev.mawashi.client.JobSink;
import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// Settings of the page before its start.
///
/// @param access where to listen, and for whom
/// @param redis where the jobs are; it need not be there
/// @param resque where Resque's keys are in it
/// @param version of Mawashi, for the pages' foot
/// @param tracing makes a sink report what is enqueued, where somebody traces
public record WebSettings(
        Access access,
        RedisAddress redis,
        ResqueKeys resque,
        String version,
        UnaryOperator<JobSink> tracing) {

    /// Where nobody traces.
    public WebSettings(Access access, RedisAddress redis, ResqueKeys resque, String version) {
        this(access, redis, resque, version, UnaryOperator.identity());
    }

    /// The same for another Redis.
    public WebSettings at(RedisAddress other) {
        return new WebSettings(access, other, resque, version, tracing);
    }

    /// A connection of the page's own.
    ///
    /// @param name that Redis shows, after `mawashi-`
    RedisConnection connection(String name, Duration patience) {
        return new RedisConnection(redis, "mawashi-" + name, patience);
    }
}
