package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
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
