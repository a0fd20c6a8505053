package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.figures.Stats;
import dev.mawashi.pages.Drain;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class DrainsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Drains drains = new Drains(nanos::get);

    private static Stats.QueueStats queue(String name, long size) {
        return new Stats.QueueStats(name, size, 0, 0, false, true, true);
    }

    private Map<String, Drain> after(int seconds, long size) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
        return drains.drains(List.of(queue("q", size)));
    }

    private String text(int seconds, long size) {
        Drain drain = after(seconds, size).get("q");
        return drain == null ? "not known" : drain.text();
    }

    @Test
    void aQueueThatShrinksIsEmptyInItsTimeAndOneThatGrowsSaysSo() {
        assertThat(text(0, 1_000)).isEqualTo("not known");
        assertThat(text(10, 900)).isEqualTo("1 min 30 s");
        assertThat(text(10, 800)).isEqualTo("1 min 20 s");
        assertThat(text(1, 2_000)).isEqualTo("grows");
    }

    @Test
    void whatStandsStillTellsNothing() {
        after(0, 100);

        assertThat(text(20, 100)).isEmpty();
        assertThat(text(5, 101)).isEmpty();
    }

    @Test
    void whatIsOlderThanHalfAMinuteIsForgotten() {
        after(0, 1_000);
        after(29, 1_000);

        assertThat(text(10, 900)).isEqualTo("1 min 30 s");
    }

    @Test
    void aPageThatIsLoadedTwiceAtOnceTellsNothing() {
        after(0, 1_000);

        assertThat(text(0, 10)).isEqualTo("not known");
    }
}
