package dev.mawashi.broker;

import dev.mawashi.redis.ClusterForTests;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;

/// The Redis of the crash points: a single one, or a Cluster of one node.
final class CrashRedis implements AutoCloseable {
    private static final Duration REPLY_MAX = Duration.ofSeconds(60);

    /// What a node of a Cluster does not know of itself, clients fill in: that it is where they
    /// have asked. So a proxy at another address of this machine, with the node's own port, is in
    /// the way of those alone who begin there.
    private static final String STRAIGHT = "127.0.0.1";

    private static final String BY_PROXY = "127.0.0.2";

    private final RedisServerForTests server;
    private final boolean isCluster;

    private CrashRedis(RedisServerForTests server, boolean isCluster) {
        this.server = server;
        this.isCluster = isCluster;
    }

    static CrashRedis single() {
        return new CrashRedis(new RedisServerForTests(), false);
    }

    static CrashRedis cluster() {
        return new CrashRedis(ClusterForTests.alone(), true);
    }

    /// Where nothing breaks, and nothing is late: thousands of attempts would be.
    RedisAddress address() {
        return isCluster ? clusterAt(STRAIGHT) : server.ownAddress();
    }

    RedisConnection connect() {
        return isCluster ? new RedisConnection(address(), "test", REPLY_MAX) : server.connect();
    }

    /// A way there that can be broken; there is one at a time.
    FaultProxy proxy() {
        return isCluster
                ? new FaultProxy(server.ownAddress(), BY_PROXY, server.ownAddress().port())
                : new FaultProxy(server.ownAddress());
    }

    /// The address of who takes that way.
    RedisAddress by(FaultProxy proxy) {
        return isCluster ? clusterAt(BY_PROXY) : proxy.address();
    }

    private RedisAddress clusterAt(String host) {
        return RedisAddress.parse(
                "redis+cluster://" + host + ":" + server.ownAddress().port() + "/crash");
    }

    void flushAll() {
        server.flushAll();
    }

    @Override
    public void close() {
        server.close();
    }
}
