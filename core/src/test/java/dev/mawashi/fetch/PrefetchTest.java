package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefetchTest {
    private final Prefetch prefetch = new Prefetch(10);
    private long jobs;
    private long nanos;

    private void run(int count, Duration each) {
        for (int i = 0; i < count; i++) {
            jobs++;
            nanos += each.toNanos();
            prefetch.learn(jobs, nanos);
        }
    }

    @Test
    void beforeAnythingIsKnownASlotGetsOneJobInAdvance() {
        assertThat(prefetch.jobs()).isEqualTo(10);
    }

    @Test
    void tenMillisecondsOfWorkAreHeldReady() {
        run(50, Duration.ofMillis(1));

        assertThat(prefetch.jobs()).isBetween(99, 100);
    }

    @Test
    void theShortestJobsAreHeldReadyByTheThousandAndNoMore() {
        run(50, Duration.ofNanos(1));

        assertThat(prefetch.jobs()).isEqualTo(Prefetch.JOBS_MAX);
    }

    @Test
    void longJobsAreNotHeldReady() {
        run(50, Duration.ofSeconds(10));

        assertThat(prefetch.jobs()).isZero();
    }

    @Test
    void oneLongRunAmongShortOnesCutsTheGuessAtOnce() {
        run(50, Duration.ofMillis(1));
        run(1, Duration.ofSeconds(1));

        assertThat(prefetch.jobs()).isZero();
        run(20, Duration.ofMillis(1));
        assertThat(prefetch.jobs()).isGreaterThan(90);
    }

    @Test
    void withoutNewRunsNothingIsLearnt() {
        run(50, Duration.ofMillis(1));
        int before = prefetch.jobs();

        prefetch.learn(jobs, nanos + 1);

        assertThat(prefetch.jobs()).isEqualTo(before);
    }

    @Test
    void jobsThatWaitedInVainLeaveNoneToBeHeldReadyUntilRunsTellMore() {
        prefetch.distrust();
        assertThat(prefetch.jobs()).isZero();

        run(20, Duration.ofMillis(1));
        assertThat(prefetch.jobs()).isGreaterThan(90);
    }
}
