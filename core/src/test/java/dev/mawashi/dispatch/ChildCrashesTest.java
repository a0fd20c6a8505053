package dev.mawashi.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Lease;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ChildCrashesTest {
    private final AtomicLong now = new AtomicLong();
    private final ChildCrashes crashes = new ChildCrashes(now::get);
    private long token;

    private Lease lease(String queue, String payload) {
        return new Lease(queue, "owner", ++token, payload.getBytes(UTF_8));
    }

    private void crash(Lease... running) {
        crashes.count(List.of(running));
    }

    @Test
    void aCrashCountsOnceForJobsOfTheSameBytes() {
        crash(lease("q", "one"), lease("q", "one"), lease("q", "two"));

        assertThat(crashes.of(lease("q", "one"))).isEqualTo(1);
        assertThat(crashes.of(lease("q", "two"))).isEqualTo(1);
    }

    @Test
    void aJobIsTheSameUnderAnotherLease() {
        crash(lease("q", "one"));
        assertThat(crashes.of(lease("q", "one"))).isEqualTo(1);
        crash(lease("q", "one"));

        assertThat(crashes.of(lease("q", "one"))).isEqualTo(2);
        assertThat(crashes.of(lease("q", "two"))).isZero();
        assertThat(crashes.of(lease("other", "one"))).isZero();
    }

    @Test
    void whatHasEndedIsForgotten() {
        crash(lease("q", "one"));
        crash(lease("q", "two"));
        crashes.forget(List.of(lease("q", "one"), lease("q", "unknown")));

        assertThat(crashes.of(lease("q", "one"))).isZero();
        assertThat(crashes.of(lease("q", "two"))).isEqualTo(1);
    }

    @Test
    void whatEndsElsewhereIsForgottenInTime() {
        crash(lease("q", "one"));
        now.addAndGet(ChildCrashes.KEPT.toNanos());
        crash(lease("q", "two"));
        assertThat(crashes.of(lease("q", "one"))).isEqualTo(1);

        now.addAndGet(1);
        crashes.forget(List.of(lease("q", "three")));
        assertThat(crashes.of(lease("q", "one"))).isZero();
        assertThat(crashes.of(lease("q", "two"))).isEqualTo(1);
    }

    @Test
    void ofTooManyTheNewestAreKept() {
        for (int i = 0; i <= ChildCrashes.JOBS_MAX; i++) {
            crash(lease("q", "job" + i));
        }

        assertThat(crashes.of(lease("q", "job0"))).isZero();
        assertThat(crashes.of(lease("q", "job1"))).isEqualTo(1);
        assertThat(crashes.of(lease("q", "job" + ChildCrashes.JOBS_MAX))).isEqualTo(1);
    }
}
