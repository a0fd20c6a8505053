package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// A simulation's world in a real Redis, whose clock goes as it does and which breaks nothing.
final class RedisWorld implements World {
    private final RedisServerForTests server;
    private final QueueLayout layout;
    private final RedisConnection redis;
    private final RedisPast past;

    RedisWorld(RedisServerForTests server, QueueLayout layout) {
        this.server = server;
        this.layout = layout;
        redis = server.connect();
        past = new RedisPast(redis);
        server.flushAll();
    }

    @Override
    public Broker process(Runnable pause) {
        return new RedisBroker(server.address(), DeadLimits.DEFAULT, layout);
    }

    @Override
    public Places places() {
        return new RedisPlaces(redis, layout);
    }

    @Override
    public void save() {
        past.save();
    }

    @Override
    public void goBack() {
        past.goBack();
    }

    @Override
    public void pass(Duration time) {}

    @Override
    public void breakSome(RandomGenerator random) {}

    @Override
    public void mend() {}

    @Override
    public void close() {
        redis.close();
    }
}
