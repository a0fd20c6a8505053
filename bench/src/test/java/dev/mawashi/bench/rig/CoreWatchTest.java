package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CoreWatchTest {
    @Test
    void stolenAndWaitingTimeIsNotBusy() {
        List<String> lines =
                List.of(
                        "cpu  20 2 4 40 6 8 10 12 0 0",
                        "cpu0 10 1 2 20 3 4 5 6 0 0",
                        "cpu1 10 1 2 20 3 4 5 6 0 0",
                        "intr 1 2 3");
        assertThat(CoreWatch.ticks(lines))
                .hasSize(2)
                .first()
                .isEqualTo(new long[] {10 + 1 + 2 + 4 + 5, 51});
    }

    @Test
    void everyCoreHasAPartBetweenNothingAndAll() throws InterruptedException {
        Run load = CoreWatch.start().stop();
        assertThat(load.lists("cores_busy")).hasSize(Machine.coresHere());
        for (List<Double> core : load.lists("cores_busy")) {
            assertThat(core)
                    .hasSameSizeAs(load.list("cores_seconds"))
                    .allSatisfy(part -> assertThat(part).isBetween(0.0, 1.0));
        }
    }
}
