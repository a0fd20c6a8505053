package dev.mawashi.broker;

import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.util.Random;
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
    void noJobIsLostOrStuckOrInTwoPlaces(long seed) {
        run(QueueLayout.SIDEKIQ, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 51449362606793L, 0})
    void norInResquesQueues(long seed) {
        run(new ResqueKeys("app:resque").layout(), seed);
    }

    private static void run(QueueLayout layout, long seed) {
        long used = seed == 0 ? System.nanoTime() : seed;
        World world = new RedisWorld(SERVER, layout);
        try (Simulation simulation = new Simulation(world, "seed " + used, new Random(used))) {
            simulation.run(STEPS);
        }
    }
}
