package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.dispatch.Running;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fleet.ProcessBeat;
import dev.mawashi.fleet.WorkEntry;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a process says of itself beyond what Sidekiq knows.
class CensusIT {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L);

    private static final String OWN =
            "\\{\"capsules\":\\[\\{\"name\":\"default\",\"runner\":\"java\",\"slots\":3,"
                    + "\"busy\":1}],\"children\":0,\"cpu_ms\":[1-9]\\d*,\"gc_ms\":%s,"
                    + "\"alarms\":\\[]}";

    @Test
    void aBeatTellsOfTheCapsulesAndOfEachJobWhereItRuns() {
        GatedRunner runner = new GatedRunner();
        CapsuleSettings settings =
                new CapsuleSettings("default", 3, QueueOrder.strict(List.of("low")));
        try (RedisServerForTests server = new RedisServerForTests();
                CapsuleRig rig =
                        new CapsuleRig(
                                new RedisBroker(server.address(), DeadLimits.DEFAULT),
                                runner,
                                settings)) {
            rig.start();
            rig.push("low", "{\"jid\":\"1\"}");
            runner.awaitRunning(1);
            // Any of the threads may take it, and a claim that finds nothing uses up tokens.
            Running running = rig.capsule().running().getFirst();
            List<Capsule> capsules = List.of(rig.capsule());
            ProcessName name = new ProcessName("box", 42, "abcdefabcdef", "app", "6.4.1");
            OwnReading own = new OwnReading(capsules, List::of);
            Census census = new Census(name, List.of(), capsules, NOW, () -> "", own);

            ProcessBeat first = census.take(1, NOW);
            ProcessBeat second = census.take(1, NOW);

            assertThat(first.record().own().json()).matches(OWN.formatted("0"));
            assertThat(second.record().own().json()).matches(OWN.formatted("\\d+"));
            assertThat(first.work())
                    .extracting(WorkEntry::slot, WorkEntry::place)
                    .containsExactly(
                            tuple(
                                    running.slot(),
                                    new WorkEntry.Place("java", running.thread(), 0)));
            assertThat(running.thread()).matches("mawashi-slot-[123]");
            assertTellsWhereItIs(rig.capsule(), running);
            runner.open();
        }
    }

    private static void assertTellsWhereItIs(Capsule capsule, Running running) {
        assertThat(capsule.stack(running.slot()))
                .hasValueSatisfying(stack -> {
                    assertThat(stack.running()).isEqualTo(running);
                    assertThat(stack.ruby()).isEmpty();
                    assertThat(stack.java())
                            .anyMatch(line -> line.contains("GatedRunner$Slot.tryPass"));
                });
        assertThat(capsule.stack("another")).isEmpty();
    }
}
