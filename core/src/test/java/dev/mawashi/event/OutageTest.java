package dev.mawashi.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutageTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RecordedEvents events = new RecordedEvents();
    private final AtomicLong nanos = new AtomicLong(-5 * SECOND);
    private final Outage outage = new Outage(events, nanos::get);

    @Test
    void theFirstFailureIsToldAtOnceAndLaterOnesEachFiveSeconds() {
        outage.down("first");
        outage.down("at once");
        nanos.addAndGet(5 * SECOND - 1);
        outage.down("too early");
        nanos.addAndGet(1);
        outage.down("after five seconds");
        outage.down("at once again");

        assertThat(events.of(Event.BrokerDown.class))
                .extracting(Event.BrokerDown::message)
                .containsExactly("first", "after five seconds");
        assertThat(outage.isDown()).isTrue();
    }

    @Test
    void theReturnIsToldOnce() {
        outage.up();
        outage.down("gone");
        outage.up();
        outage.up();

        assertThat(events.all())
                .containsExactly(new Event.BrokerDown("gone"), new Event.BrokerUp());
        assertThat(outage.isDown()).isFalse();
    }

    @Test
    void aSecondOutageIsToldWithItsEndOnceFiveSecondsHavePassed() {
        outage.down("one");
        outage.up();
        nanos.addAndGet(5 * SECOND);
        outage.down("two");
        outage.up();

        assertThat(events.all())
                .containsExactly(
                        new Event.BrokerDown("one"),
                        new Event.BrokerUp(),
                        new Event.BrokerDown("two"),
                        new Event.BrokerUp());
    }

    @Test
    void oneThatComesAndGoesManyTimesASecondIsToldEachFiveSeconds() {
        for (int i = 0; i < 300; i++) {
            outage.down("killed");
            assertThat(outage.isDown()).isTrue();
            outage.up();
            assertThat(outage.isDown()).isFalse();
            nanos.addAndGet(SECOND / 10);
        }

        assertThat(events.of(Event.BrokerDown.class)).hasSize(6);
        assertThat(events.of(Event.BrokerUp.class)).hasSize(6);
    }

    @Test
    void theReturnIsToldOnceHoweverManyThreadsNotice() throws InterruptedException {
        Outage outage = new Outage(events, () -> nanos.addAndGet(5 * SECOND));
        AtomicInteger ready = new AtomicInteger();
        Thread other =
                Thread.ofPlatform()
                        .name("mawashi-test-1")
                        .start(() -> noticeReturns(outage, ready, () -> {}));
        noticeReturns(outage, ready, () -> outage.down("gone"));
        other.join();

        assertThat(events.of(Event.BrokerUp.class))
                .hasSameSizeAs(events.of(Event.BrokerDown.class));
    }

    /// Calls `up` in the same instant as the other thread, again and again.
    private static void noticeReturns(Outage outage, AtomicInteger ready, Runnable first) {
        for (int round = 1; round <= 10_000; round++) {
            first.run();
            ready.incrementAndGet();
            while (ready.get() < 2 * round) {
                Thread.onSpinWait();
            }
            outage.up();
        }
    }
}
