package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// MRI's `sidekiq` and Mawashi on the same queues at the same time.
@Tag("stack")
final class SideBySideIT {
    @TempDir Path folder;

    @Test
    void sidekiqAndMawashiShareTheJobsAndRunNoneTwice() {
        try (Workplace place = new Workplace(folder)) {
            String[] flags = {"-c", "5", "-q", "default", "-q", "low"};
            Child mawashi = place.runOnMri(Workplace.NO_GEMS, flags);
            Child sidekiq = place.sidekiq(flags);
            mawashi.awaitLog("working on");
            place.await("both serve", () -> place.number("SCARD", "processes") == 2);

            assertThat(place.lines("push_shared.rb")).isEmpty();
            Ledger ledger = place.ledger();
            place.await("failures", () -> place.number("ZCARD", "retry") == 200);
            place.lines("hurry.rb");
            place.await("flaky jobs run", () -> ledger.count("end", "FlakyJob") == 200);
            place.await("due jobs run", () -> ledger.count("end", "DueJob") == 300);
            place.await("all jobs run", () -> ledger.count("end", "SleepJob") == 3_500);
            mawashi.signal("TERM");
            sidekiq.signal("TERM");
            assertThat(mawashi.awaitExit()).as(mawashi::log).isZero();
            assertThat(sidekiq.awaitExit()).as(sidekiq::log).isZero();

            assertThat(ledger.byJid("end").values()).hasSize(4_000).containsOnly(1L);
            assertThat(ledger.lines("start")).hasSize(4_200);
            assertThat(ledger.byPid("end"))
                    .as("jobs by process")
                    .hasSize(2)
                    .containsKey(sidekiq.pid());
            assertThat(place.strings("KEYS", "j|*").isEmpty())
                    .as("metrics are those of the gem's version")
                    .isNotEqualTo(place.hasSidekiq(7));
            assertThat(place.lines("figures.rb"))
                    .contains("stats processed 4200", "stats failed 200", "stats enqueued 0")
                    .contains("scheduled 0", "retry 0", "dead 0", "work 0")
                    // Sidekiq may beat once more after it has taken its own record away.
                    .noneMatch(line -> line.contains(" x " + mawashi.pid() + " "));
        }
    }
}
