package dev.mawashi.broker;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.redis.SentinelsForTests;
import dev.mawashi.wire.QueueLayout;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/// The contract on a master whose place only Sentinels name.
@Tag("stack")
class SentinelBrokerIT extends RedisBrokerContract {
    private static final RedisServerForTests MASTER = new RedisServerForTests();
    private static final SentinelsForTests SENTINELS = new SentinelsForTests(MASTER.ownAddress());
    private static final RedisConnection REDIS = MASTER.connect();

    SentinelBrokerIT() {
        super(REDIS, RedisAddress.parse(SENTINELS.url()), QueueLayout.SIDEKIQ, "");
    }

    @AfterAll
    static void stopServers() {
        REDIS.close();
        SENTINELS.close();
        MASTER.close();
    }
}
