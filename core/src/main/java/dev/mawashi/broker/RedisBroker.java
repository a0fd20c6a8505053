package dev.mawashi.broker;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.Objects;

/// The broker in a Redis or Valkey server that Sidekiq's or Resque's clients use too.
public final class RedisBroker implements Broker {
    /// Largest payload that is claimed or enqueued: 16 MiB. Sidekiq has no limit; ours keeps one
    /// job from filling the server's memory.
    public static final int PAYLOAD_BYTES_MAX = 16 << 20;

    /// Longest wait for a connect or a reply.
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final RedisAddress address;
    private final DeadLimits deadLimits;
    private final QueueLayout layout;
    private final Holdings holdings = new Holdings();
    private final ArrivalLists arrivals = new ArrivalLists();

    /// A broker for Sidekiq's queues.
    public RedisBroker(RedisAddress address, DeadLimits deadLimits) {
        this(address, deadLimits, QueueLayout.SIDEKIQ);
    }

    /// @param layout where and how queues lie in Redis. The schedule, retry and dead sets are
    ///   Sidekiq's in any case
    public RedisBroker(RedisAddress address, DeadLimits deadLimits, QueueLayout layout) {
        this.address = address;
        this.deadLimits = deadLimits;
        this.layout = layout;
    }

    @Override
    public Enqueuing enqueuing() {
        return new RedisEnqueuing(connect("enqueue"), layout);
    }

    /// An `Enqueuing` over a connection of the caller's, which is closed with it.
    public Enqueuing enqueuing(RedisConnection connection) {
        return new RedisEnqueuing(connection, layout);
    }

    /// What waits until jobs that were enqueued over the same connection are safe.
    public Acknowledging acknowledging(RedisConnection connection) {
        return new Acknowledging(connection);
    }

    @Override
    public Claiming claiming() {
        return new RedisClaiming(connect("claim"), holdings, arrivals, deadLimits, layout);
    }

    @Override
    public Parking parking() {
        return new RedisParking(connect("park"), holdings, arrivals, layout);
    }

    @Override
    public Watching watching() {
        return new RedisWatching(connect("rest"), connect("watch"), layout);
    }

    @Override
    public Settling settling() {
        return new RedisSettling(connect("settle"), deadLimits, holdings, arrivals, layout);
    }

    @Override
    public Scheduling scheduling() {
        return new RedisScheduling(connect("schedule"), connect("watch"), deadLimits, layout);
    }

    @Override
    public Leasing leasing() {
        return new RedisLeasing(connect("lease"), holdings, arrivals, layout);
    }

    /// The delayed jobs of resque-scheduler.
    ///
    /// @param lock key that its master holds
    public DelayedJobs delayedJobs(ResqueKeys keys, String lock) {
        return new DelayedJobs(connect("delayed"), connect("watch"), keys, lock);
    }

    /// A connection for what is no session of its own, such as `tables` and what reads jobs.
    public RedisConnection connect(String purpose) {
        return new RedisConnection(address, "mawashi-" + purpose, TIMEOUT);
    }

    /// What its connections put before all keys; "" for nothing.
    public String namespace() {
        return address.namespace();
    }

    /// As whom it logs in.
    public String user() {
        return Objects.requireNonNullElse(address.login().user(), "default");
    }
}
