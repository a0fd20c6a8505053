package dev.mawashi.broker;

import dev.mawashi.Fuzz;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Many short lives of jobs, each from a seed. `.ci/fuzz histories` runs them for longer.
class HistoryFuzzTest {
    private static final int STEPS = 100;

    @Test
    void noJobIsLostOrStuckOrInTwoPlaces() {
        Fuzz.run("histories", HistoryFuzzTest::history);
    }

    private static void history(Random random) {
        try (Simulation simulation = new Simulation(new MemoryWorld(), "history", random)) {
            simulation.run(STEPS);
        }
    }
}
