package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final int STEPS = 300;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 0})
    void norInResquesQueues(long seed) {
        SERVER.flushAll();
        QueueLayout layout = new ResqueKeys("app:resque").layout();
        RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT, layout);
        long used = seed == 0 ? System.nanoTime() : seed;
        try (RedisConnection redis = SERVER.connect();
                Simulation simulation =
                        new Simulation(broker, new RedisPlaces(redis, layout), used)) {
            simulation.run(STEPS);
        }
    }

    /// The last seed is new in every run; a failure tells it.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 0})
    void noJobIsLostOrInTwoPlaces(long seed) {
        SERVER.flushAll();
        RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
        long used = seed == 0 ? System.nanoTime() : seed;
        try (RedisConnection redis = SERVER.connect();
                Simulation simulation = new Simulation(broker, new RedisPlaces(redis), used)) {
            simulation.run(STEPS);
        }
    }
}
