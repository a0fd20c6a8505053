package dev.mawashi.broker;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.redis.SentinelsForTests;
import dev.mawashi.wire.QueueLayout;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/// The contract on a master whose place only Sentinels name.
@Tag("stack")
class SentinelBrokerIT extends BrokerContract {
    private static final RedisServerForTests MASTER = new RedisServerForTests();
    private static final SentinelsForTests SENTINELS = new SentinelsForTests(MASTER.ownAddress());
    private static final RedisConnection REDIS = MASTER.connect();

    private final RedisAddress address = RedisAddress.parse(SENTINELS.url());
    private final RedisBroker broker = new RedisBroker(address, DeadLimits.DEFAULT);
    private final RedisPlaces places = new RedisPlaces(REDIS);
    private final RedisPast past = new RedisPast(REDIS);

    @AfterAll
    static void stopServers() {
        REDIS.close();
        SENTINELS.close();
        MASTER.close();
    }

    @BeforeEach
    void emptyServer() {
        MASTER.flushAll();
    }

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    Places places() {
        return places;
    }

    @Override
    Broker anotherProcess() {
        return new RedisBroker(address, DeadLimits.DEFAULT);
    }

    @Override
    void save() {
        past.save();
    }

    @Override
    void goBack() {
        past.goBack();
    }

    @Override
    void loseLease(String queue, String owner) {
        REDIS.call("ZREM", QueueLayout.SIDEKIQ.leases(queue), owner);
    }
}
