package dev.mawashi.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.wire.TimeStyle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PromoterTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_789L);
    private static final Instant LONG_AGO = Instant.ofEpochSecond(1_000);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final MemoryBroker broker = new MemoryBroker();
    private final RecordedEvents events = new RecordedEvents();
    private final Promoter promoter =
            new Promoter(
                    broker.scheduling(),
                    TimeStyle.INTEGER_MILLIS,
                    InstantSource.fixed(NOW),
                    events,
                    new Outage(events, System::nanoTime));

    @BeforeEach
    void lease() {
        broker.leasing().open("me", List.of("low", "default"), LONG);
    }

    @AfterEach
    void stop() {
        promoter.stop(LONG);
    }

    private void schedule(String... payloads) {
        Enqueuing enqueuing = broker.enqueuing();
        for (String payload : payloads) {
            enqueuing.schedule(LONG_AGO, payload.getBytes(StandardCharsets.UTF_8));
        }
        enqueuing.flush();
    }

    /// Takes the next `count` jobs as they come.
    private List<String> claim(String queue, int count) {
        List<String> jobs = new ArrayList<>();
        Claiming claiming = broker.claiming();
        Eventually.until(
                count + " jobs in " + queue,
                () -> {
                    claiming.claim(List.of(queue), "me", count, 1 << 20)
                            .leases()
                            .forEach(
                                    l -> jobs.add(new String(l.payload(), StandardCharsets.UTF_8)));
                    return jobs.size() >= count;
                });
        return jobs;
    }

    @Test
    void aDueJobMovesWithTheTimeInItsOwnStyle() {
        schedule(
                "{\"queue\":\"low\",\"jid\":\"six\",\"created_at\":1795225576.15}",
                "{\"queue\":\"low\",\"jid\":\"eight\",\"created_at\":1795225576150}",
                "{\"queue\":\"low\", \"enqueued_at\":1795225576.15, \"x\":1.50}");
        promoter.start();

        assertThat(claim("low", 3))
                .containsExactlyInAnyOrder(
                        "{\"queue\":\"low\",\"jid\":\"six\",\"created_at\":1795225576.15,\"enqueued_at\":1795225700.123456}",
                        "{\"queue\":\"low\",\"jid\":\"eight\",\"created_at\":1795225576150,\"enqueued_at\":1795225700123}",
                        "{\"queue\":\"low\", \"enqueued_at\":1795225700.123456, \"x\":1.50}");
        assertThat(events.all()).isEmpty();
    }

    @Test
    void aJobWithoutAQueueGoesToTheDefaultOne() {
        schedule("{\"queue\":\"\",\"created_at\":1}");
        promoter.start();

        assertThat(claim("default", 1))
                .containsExactly(
                        "{\"queue\":\"default\",\"created_at\":1,\"enqueued_at\":1795225700123}");
    }

    @Test
    void whatIsNoJobIsBuriedAndTheOthersMove() {
        schedule("no json", "[1]", "{\"queue\":\"low\",\"jid\":\"good\"}");
        promoter.start();

        assertThat(claim("low", 1)).hasSize(1);
        Eventually.until("both are buried", () -> events.of(Event.JobBuried.class).size() == 2);
    }

    @Test
    void manyJobsDueAtOneInstantAllMove() {
        for (int i = 0; i < 250; i++) {
            schedule("{\"queue\":\"low\",\"jid\":\"" + i + "\"}");
        }
        promoter.start();

        assertThat(claim("low", 250)).doesNotHaveDuplicates();
    }

    @Test
    void stopMayComeBeforeStartAndTwice() {
        promoter.stop(Duration.ZERO);
        promoter.start();
        promoter.stop(LONG);
        promoter.stop(LONG);

        assertThat(events.all()).isEmpty();
    }
}
