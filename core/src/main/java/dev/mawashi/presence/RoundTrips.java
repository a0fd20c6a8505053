package dev.mawashi.presence;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// The last times that a round trip to Redis took. Five slow ones in a row are reported, and then
/// it takes five more, as in Sidekiq.
final class RoundTrips {
    private static final int READINGS = 5;
    private static final long SLOW_MICROS = 50_000;

    private final Listener listener;
    private final Deque<Long> readings = new ArrayDeque<>();

    RoundTrips(Listener listener) {
        this.listener = listener;
    }

    /// Takes a reading and returns it.
    long note(long micros) {
        if (readings.size() == READINGS) {
            readings.removeFirst();
        }
        readings.add(micros);
        if (readings.size() == READINGS
                && readings.stream().allMatch(reading -> reading > SLOW_MICROS)) {
            listener.on(new Event.BrokerSlow(List.copyOf(readings)));
            readings.clear();
        }
        return micros;
    }
}
