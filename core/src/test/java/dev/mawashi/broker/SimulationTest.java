package dev.mawashi.broker;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Long histories; `HistoryFuzzTest` has many short ones.
class SimulationTest {
    private static final int STEPS = 1_000;

    /// The last seed is new in every run; a failure tells it.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 0})
    void noJobIsLostOrStuckOrInTwoPlaces(long seed) {
        long used = seed == 0 ? System.nanoTime() : seed;
        try (Simulation simulation =
                new Simulation(new MemoryWorld(), "seed " + used, new Random(used))) {
            simulation.run(STEPS);
        }
    }
}
