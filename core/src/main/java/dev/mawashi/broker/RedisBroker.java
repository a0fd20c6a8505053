package dev.mawashi.broker;

import dev.mawashi.redis.KeyReports;
import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

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
    private final KeyReports reports;
    private final RedisConnection chores;

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
        reports = new KeyReports(connect("follow"), () -> connect("watch"));
        chores = connect("chores");
    }

    private RedisBroker(RedisBroker one, DeadLimits deadLimits, QueueLayout layout) {
        address = one.address;
        this.deadLimits = deadLimits;
        this.layout = layout;
        reports = one.reports;
        chores = one.chores;
    }

    /// A broker for other queues in the same Redis, which shares what `watch` and `chores` share.
    public RedisBroker beside(DeadLimits deadLimits, QueueLayout layout) {
        return new RedisBroker(this, deadLimits, layout);
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
        return new RedisWatching(watch(key -> key.startsWith(layout.prefix())), layout);
    }

    @Override
    public Settling settling() {
        return new RedisSettling(connect("settle"), deadLimits, holdings, arrivals, layout);
    }

    @Override
    public Scheduling scheduling() {
        return new RedisScheduling(watch(RedisScheduling::isOf), deadLimits, layout);
    }

    @Override
    public Leasing leasing() {
        return new RedisLeasing(connect("lease"), holdings, arrivals, layout);
    }

    /// As `leasing`, to recover what others held.
    public Leasing recovering() {
        return new RedisLeasing(chores(), holdings, arrivals, layout);
    }

    /// The delayed jobs of resque-scheduler.
    ///
    /// @param lock key that its master holds
    public DelayedJobs delayedJobs(ResqueKeys keys, String lock) {
        Set<String> watched = Set.of(keys.delayedSchedule(), lock);
        return new DelayedJobs(watch(watched::contains), keys, lock);
    }

    /// A watch of some keys. All watches share two connections.
    ///
    /// @param isOf which keys they are
    public KeyWatch watch(Predicate<String> isOf) {
        return reports.watch(isOf);
    }

    /// The connection of all work that may wait its turn for some milliseconds. It is for commands
    /// that Redis answers at once, on threads that are no virtual ones: whoever has the connection
    /// must get to run.
    public RedisConnection chores() {
        return chores.beside();
    }

    /// A connection for what is no session of its own, such as `tables` and what reads jobs.
    public RedisConnection connect(String purpose) {
        return new RedisConnection(address, "mawashi-" + purpose, TIMEOUT);
    }

    /// What its connections put before all keys; "" for nothing.
    public String keyPrefix() {
        return address.keyPrefix();
    }

    /// As whom it logs in.
    public String user() {
        return Objects.requireNonNullElse(address.login().user(), "default");
    }
}
