package dev.mawashi.broker;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import org.junit.jupiter.api.BeforeEach;

/// The contract on a real Redis, empty before each test.
abstract class RedisBrokerContract extends BrokerContract {
    final RedisBroker broker;

    private final RedisConnection redis;
    private final RedisAddress address;
    private final QueueLayout layout;
    private final String prefix;
    private final RedisPlaces places;
    private final RedisPast past;

    /// @param redis a user's who may do all
    /// @param address of the broker
    /// @param prefix of the broker's keys, as `redis` sees them
    RedisBrokerContract(
            RedisConnection redis, RedisAddress address, QueueLayout layout, String prefix) {
        this.redis = redis;
        this.address = address;
        this.layout = layout;
        this.prefix = prefix;
        broker = new RedisBroker(address, DeadLimits.DEFAULT, layout);
        places = new RedisPlaces(redis, layout, prefix);
        past = new RedisPast(redis);
    }

    @BeforeEach
    final void emptyServer() {
        redis.call("FLUSHALL");
    }

    @Override
    final Broker broker() {
        return broker;
    }

    @Override
    final Places places() {
        return places;
    }

    @Override
    final Broker anotherProcess() {
        return new RedisBroker(address, DeadLimits.DEFAULT, layout);
    }

    @Override
    final void save() {
        past.save();
    }

    @Override
    final void goBack() {
        past.goBack();
    }

    @Override
    final void loseLease(String queue, String owner) {
        redis.call("ZREM", prefix + layout.leases(queue), owner);
    }
}
