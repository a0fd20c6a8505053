package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoundTripsTest {
    private final RecordedEvents events = new RecordedEvents();
    private final RoundTrips trips = new RoundTrips(events);

    private void note(long... micros) {
        LongStream.of(micros)
                .forEach(reading -> assertThat(trips.note(reading)).isEqualTo(reading));
    }

    @Test
    void fiveSlowOnesInARowAreTold() {
        note(1, 50_001, 50_002, 50_003, 50_004);
        assertThat(events.all()).isEmpty();

        note(50_005);

        assertThat(events.all())
                .containsExactly(
                        new Event.BrokerSlow(List.of(50_001L, 50_002L, 50_003L, 50_004L, 50_005L)));
    }

    @Test
    void oneThatWillDoBeginsTheCountAnew() {
        note(60_000, 60_000, 60_000, 60_000, 50_000, 60_000, 60_000, 60_000, 60_000);

        assertThat(events.all()).isEmpty();
    }

    @Test
    void itIsToldAgainAfterFiveMore() {
        note(60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000);
        assertThat(events.all()).hasSize(1);

        note(60_000);

        assertThat(events.all()).hasSize(2);
    }
}
