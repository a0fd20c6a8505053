package dev.mawashi.faults;

import dev.mawashi.Eventually;
import dev.mawashi.redis.ClusterForTests;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.SentinelsForTests;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The Redises of a scenario: the one that jobs are in, others that follow it or take its place,
/// and a proxy, Sentinels or a Cluster through which servers may reach them. Closing ends all of
/// it.
final class Redises implements AutoCloseable {
    /// Of the jobs in a Cluster.
    static final String NAME = "shop";

    private final Path folder;
    private final Set<RealRedis> others = new HashSet<>();
    private @Nullable RealRedis inUse;
    private @Nullable FaultProxy link;
    private @Nullable SentinelsForTests sentinels;
    private @Nullable ClusterForTests cluster;

    /// @param folder where their data are
    Redises(Path folder) {
        this.folder = folder;
    }

    /// The one that jobs are in; without persistence if no scenario has started it otherwise.
    RealRedis inUse() {
        return inUse == null ? start("--appendonly", "no") : inUse;
    }

    /// Starts it with options of its own; comes before all else.
    RealRedis start(String... options) {
        inUse = new RealRedis(folder.resolve("redis"), options);
        return inUse;
    }

    /// The proxy before it, which servers are given if this is called before `address`.
    FaultProxy link() {
        if (link == null) {
            link = new FaultProxy(inUse().address());
        }
        return link;
    }

    /// Starts replicas, and three Sentinels by which servers find the master, if this is called
    /// before `address`.
    SentinelsForTests elect(int replicas) {
        for (int i = 0; i < replicas; i++) {
            RealRedis _ = replica();
        }
        sentinels = new SentinelsForTests(inUse().address());
        sentinels.awaitReady(replicas);
        return sentinels;
    }

    /// Has the jobs in a Cluster of three masters and three replicas; comes before all else.
    ClusterForTests join() {
        cluster = new ClusterForTests(1);
        return cluster;
    }

    /// To where the jobs are.
    RedisConnection connect() {
        return cluster == null
                ? inUse().connect()
                : new RedisConnection(cluster.address(NAME), "rig", Duration.ofSeconds(30));
    }

    /// Whether Sentinels have made another the one that jobs are in.
    boolean haveElected(RealRedis before) {
        int port = sentinels == null ? 0 : sentinels.master();
        others.stream()
                .filter(one -> one.address().port() == port)
                .findFirst()
                .ifPresent(one -> {
                    others.add(inUse());
                    others.remove(one);
                    inUse = one;
                });
        return inUse() != before;
    }

    /// Waits until replicas have all that has been written by now.
    void awaitReplicas() {
        long offset = inUse().offset();
        Eventually.until(
                "replicas have all",
                Rig.LIMIT,
                () -> others.stream().allMatch(one -> one.offset() >= offset));
    }

    /// What servers are given.
    String address() {
        if (cluster != null) {
            return cluster.url(NAME);
        }
        if (sentinels != null) {
            return sentinels.url();
        }
        return (link == null ? inUse().address() : link.address()).toString();
    }

    /// Starts a replica, and waits until it has all.
    RealRedis replica() {
        RealRedis replica = new RealRedis(folder.resolve("replica" + others.size()));
        others.add(replica);
        follow(replica, inUse());
        return replica;
    }

    /// Makes one the replica of another, and waits until it has all.
    void follow(RealRedis replica, RealRedis master) {
        replica.call("REPLICAOF", "127.0.0.1", "" + master.address().port());
        Eventually.until("the replica follows", Rig.LIMIT, () -> replica.isInStep());
    }

    /// Makes another one that jobs are in, for servers behind `link`.
    void pointTo(RealRedis other) {
        others.add(inUse());
        inUse = other;
        link().pointTo(other.address());
    }

    @Override
    public void close() {
        if (cluster != null) {
            cluster.close();
        }
        if (sentinels != null) {
            sentinels.close();
        }
        if (link != null) {
            link.close();
        }
        if (inUse != null) {
            inUse.close();
        }
        others.forEach(RealRedis::close);
    }
}
