package dev.mawashi.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.figures.MetricsBatch.ClassRuns;
import dev.mawashi.job.Outcome;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RunTallyTest {
    private static final Outcome FAILED = new Outcome.Failed("RuntimeError", "x", List.of());

    private final RunTallies tallies = new RunTallies(true);
    private final RunTally slot = Objects.requireNonNull(tallies.open("jruby"));

    private List<ClassRuns> taken() {
        return tallies.take().getOrDefault("jruby", List.of());
    }

    @Test
    void shortRunsAddUpToTheirTime() {
        for (long run = 0; run < 1_000; run++) {
            slot.count("OkJob", Outcome.SUCCEEDED, run * 100_000, (run + 1) * 100_000);
        }

        assertThat(taken())
                .singleElement()
                .extracting(ClassRuns::processed, ClassRuns::millis)
                .containsExactly(1_000L, 100L);
    }

    @Test
    void namesFromPayloadsDoNotFillTheMemory() {
        for (int i = 0; i < RunTally.CLASSES_MAX + 10; i++) {
            slot.count("Job" + i, Outcome.SUCCEEDED, 0, 0);
        }
        slot.count("Job0", Outcome.SUCCEEDED, 0, 0);

        List<ClassRuns> runs = taken();
        assertThat(runs).hasSize(RunTally.CLASSES_MAX);
        assertThat(runs.getFirst().processed()).isEqualTo(2);
    }

    @Test
    void nothingIsKeptWhenNothingIsCounted() {
        RunTallies off = new RunTallies(false);

        assertThat(off.open("jruby")).isNull();
        assertThat(off.take()).isEmpty();
    }

    @Test
    void aTallyGivenBackGoesToASlotOfItsRunner() {
        tallies.giveBack(slot);

        assertThat(tallies.open("fork")).isNotSameAs(slot);
        assertThat(tallies.open("jruby")).isSameAs(slot);
    }

    @Test
    void noRunIsLostOrHadTwiceWhileAnotherThreadReads() throws InterruptedException {
        int runs = 200_000;
        Thread counting =
                Thread.ofPlatform()
                        .name("mawashi-slot-1")
                        .start(() -> {
                            for (int i = 0; i < runs; i++) {
                                slot.count("A" + i % 3, outcome(i), 0, 1_000_000);
                            }
                        });
        long processed = 0;
        long failed = 0;
        long millis = 0;
        boolean isLast;
        do {
            isLast = !counting.isAlive();
            for (ClassRuns taken : taken()) {
                processed += taken.processed();
                failed += taken.failed();
                millis += taken.millis();
            }
            assertThat(failed + millis).isLessThanOrEqualTo(processed);
        } while (!isLast);
        counting.join();

        assertThat(processed).isEqualTo(runs);
        assertThat(failed).isEqualTo(runs / 4);
        assertThat(millis).isEqualTo(runs - runs / 4);
    }

    private static Outcome outcome(int run) {
        return run % 4 == 0 ? FAILED : Outcome.SUCCEEDED;
    }
}
