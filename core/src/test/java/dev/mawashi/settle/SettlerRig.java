package dev.mawashi.settle;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/// A settler whose round trips are answered as a test has written down.
abstract class SettlerRig {
    static final Duration LONG = Duration.ofSeconds(20);

    final RecordedEvents events = new RecordedEvents();
    final ScriptedSettling settling = new ScriptedSettling();
    final Settler settler = new Settler(settling, events, new Outage(events, System::nanoTime));

    @AfterEach
    void stop() {
        settling.releaseAll();
        settler.stop(LONG);
    }

    static Lease lease(long token) {
        return new Lease("q", "me#0", token, new byte[] {'{', '}'});
    }

    void ack(long... tokens) {
        for (long token : tokens) {
            settler.settle(lease(token), Settlement.ACK);
        }
    }

    static List<Long> tokens(List<Settled> settled) {
        return settled.stream().map(one -> one.lease().token()).toList();
    }

    void awaitCalls(int count) {
        Eventually.until(count + " round trips", () -> settling.calls().size() >= count);
    }

    void awaitSettledAll() {
        Eventually.until("all are settled", () -> settler.flush(Duration.ZERO));
    }
}
