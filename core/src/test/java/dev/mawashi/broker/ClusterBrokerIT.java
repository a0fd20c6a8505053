package dev.mawashi.broker;

import dev.mawashi.redis.ClusterForTests;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/// The contract in one slot of a Cluster.
@Tag("stack")
class ClusterBrokerIT extends RedisBrokerContract {
    private static final ClusterForTests CLUSTER = new ClusterForTests(0);
    private static final RedisConnection REDIS = CLUSTER.owner("shop").connect();

    ClusterBrokerIT() {
        super(REDIS, CLUSTER.address("shop"), QueueLayout.SIDEKIQ, "{shop}:");
    }

    @AfterAll
    static void stopServers() {
        REDIS.close();
        CLUSTER.close();
    }
}
