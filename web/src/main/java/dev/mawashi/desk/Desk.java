package dev.mawashi.desk;

import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.MetricsReader;
import dev.mawashi.figures.WaitReader;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.inspect.JobSearch;
import dev.mawashi.redis.RedisConnection;
import java.time.InstantSource;

/// The readers of a page, over one connection. One thread's at a time.
public record Desk(
        RedisConnection connection,
        Inspector inspector,
        JobReader jobs,
        JobSearch search,
        MetricsReader metrics,
        WaitReader waits,
        ProcessReader processes) {
    static Desk over(RedisConnection connection, InstantSource clock) {
        return new Desk(
                connection,
                new Inspector(connection, clock),
                new JobReader(connection),
                new JobSearch(connection),
                new MetricsReader(connection, clock),
                new WaitReader(connection, clock),
                new ProcessReader(connection));
    }
}
