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

    private static final String STRAIGHT = "127.0.0.1";
    private static final int HOSTS = 250;

    private final RedisServerForTests server;
    private final boolean isCluster;
    private int proxies;

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

    /// A way there that can be broken.
    ///
    /// What a node of a Cluster does not know of itself, clients fill in: that it is where they
    /// have asked. So a proxy at another address of this machine, with the node's own port, is in
    /// the way of those alone who begin there. Each has an address that was none before: of one
    /// that was, the process knows the node already, and sends fewer bursts.
    FaultProxy proxy() {
        if (!isCluster) {
            return new FaultProxy(server.ownAddress());
        }
        String host = "127.1." + proxies / HOSTS + "." + (1 + proxies % HOSTS);
        proxies++;
        return new FaultProxy(server.ownAddress(), host, server.ownAddress().port());
    }

    /// The address of who takes that way.
    RedisAddress by(FaultProxy proxy) {
        return isCluster ? clusterAt(proxy.address().host()) : proxy.address();
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
