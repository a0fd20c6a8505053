package dev.mawashi.bench.rig;

import dev.mawashi.wire.Keys;

/// The library in whose form and place a contestant finds its jobs.
public enum JobSource {
    /// Sidekiq's list: pushed left, taken right.
    SIDEKIQ(Keys.QUEUES, Keys.queue(BenchRedis.QUEUE), "LPUSH"),

    /// Resque's: pushed right, taken left.
    RESQUE("resque:queues", "resque:queue:" + BenchRedis.QUEUE, "RPUSH"),

    /// None: the contestant makes its jobs itself, and the queues in Redis stay as they are.
    NONE("", "", "");

    /// The set of the queues' names.
    final String queues;

    /// The list.
    final String queue;

    /// The command that enqueues.
    final String push;

    JobSource(String queues, String queue, String push) {
        this.queues = queues;
        this.queue = queue;
        this.push = push;
    }
}
