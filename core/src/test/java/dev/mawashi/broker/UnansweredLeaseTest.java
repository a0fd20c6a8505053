package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.presence.SteppedLease;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// A lease that is opened, and whose opener gets no answer.
class UnansweredLeaseTest {
    private static final List<String> Q = List.of("q");

    private final MemoryServer server = new MemoryServer(InstantSource.system());
    private final Broker broker = new MemoryBroker(server, () -> {});
    private final RecordedEvents events = new RecordedEvents();
    private final Epoch epoch = new Epoch("me");
    private final Leasing others = new MemoryBroker(server, () -> {}).leasing();
    private final SteppedLease lease =
            new SteppedLease(broker.leasing(), epoch, Q, _ -> {}, events);

    private void recover(String owner) {
        others.renew(owner, Q, Duration.ofSeconds(-1));
        assertThat(others.recover("q", "").owners()).containsExactly(owner);
    }

    @Test
    void itsOwnerIsNotUsedSinceOthersMayRecoverItMeanwhile() {
        assertThat(lease.keep()).isTrue();
        recover("me#0");
        Queue<MemoryServer.Fault> faults =
                new ArrayDeque<>(List.of(MemoryServer.Fault.NONE, MemoryServer.Fault.NO_REPLY));
        server.breakBy(faults::remove);
        assertThat(lease.keep()).isFalse();
        server.breakBy(() -> MemoryServer.Fault.NONE);
        recover("me#1");

        assertThat(lease.keep()).isTrue();

        assertThat(epoch.owner()).isEqualTo("me#2");
        assertThat(events.of(Event.OwnerFenced.class))
                .containsExactly(new Event.OwnerFenced("me#0", "me#1"));
    }
}
