package dev.mawashi.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.SettleReport;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.redis.RedisFailures;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/// A settlement that Redis refuses is set aside and tried again, and the others go on.
class RefusedSettlementsTest extends SettlerRig {
    private static SettleReport refuse(List<Settled> these, String error) {
        return new SettleReport(
                0,
                List.of(),
                0,
                these.stream()
                        .map(one -> new SettleReport.Refused(one, RedisFailures.refused(error)))
                        .toList());
    }

    private static SettleReport refuseAll(List<Settled> all) {
        return refuse(all, "OOM no memory");
    }

    /// Refuses those with an odd token.
    private static SettleReport refuseOdd(List<Settled> all) {
        return refuse(
                all.stream().filter(one -> one.lease().token() % 2 == 1).toList(),
                "WRONGTYPE not a set");
    }

    /// The settler reports after it has settled.
    private void awaitReport() {
        Eventually.until("it is reported", () -> !events.of(Event.RefusedSettled.class).isEmpty());
    }

    @Test
    void aRefusedOneIsTriedAgainWhileNewerOnesGoOn() {
        for (int i = 0; i < 4; i++) {
            settling.thenAnswer(RefusedSettlementsTest::refuseOdd);
        }
        ack(1, 2, 4);
        settler.start();
        awaitCalls(1);
        ack(6, 8);

        awaitSettledAll();
        awaitReport();

        assertThat(settling.settled()).containsExactly(2L, 4L, 6L, 8L, 1L);
        assertThat(events.all())
                .containsExactly(
                        new Event.SettlementRefused("done", "q", "WRONGTYPE not a set"),
                        new Event.RefusedSettled("done", "q", 1));
    }

    @Test
    void manyRefusedOnesAreTriedByOneAndToldOnce() {
        for (int i = 0; i < 3; i++) {
            settling.thenAnswer(RefusedSettlementsTest::refuseOdd);
        }
        for (long token = 1; token < 5_000; token += 2) {
            ack(token);
        }
        settler.start();

        awaitSettledAll();
        awaitReport();

        assertThat(settling.settled()).hasSize(2_500).doesNotHaveDuplicates();
        assertThat(settling.calls())
                .element(1)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(1);
        assertThat(events.of(Event.SettlementRefused.class)).hasSize(1);
        assertThat(events.of(Event.RefusedSettled.class))
                .containsExactly(new Event.RefusedSettled("done", "q", 2_500));
    }

    @Test
    void flushDoesNotWaitForWhatIsRefused() {
        for (int i = 0; i < 1_000; i++) {
            settling.thenAnswer(RefusedSettlementsTest::refuseOdd);
        }
        ack(1, 2);
        settler.start();

        assertThat(settler.flush(LONG)).isFalse();

        assertThat(settling.settled()).containsExactly(2L);
    }

    @Test
    void refusedOnesTakeABoundedRoom() {
        for (int i = 0; i < 1_000; i++) {
            settling.thenAnswer(RefusedSettlementsTest::refuseOdd);
        }
        byte[] large = new byte[(int) (SetAside.BYTES_MAX / 4)];
        settler.start();
        for (long token = 1; token < 8; token += 2) {
            assertThat(settler.hasRoom()).isTrue();
            settler.settle(lease(token), new Settlement.Bury(large));
            settler.flush(LONG);
        }

        assertThat(settler.awaitRoom(Duration.ZERO)).isFalse();
        assertThat(events.of(Event.SettlementsFull.class))
                .containsExactly(new Event.SettlementsFull(4));
    }

    @Test
    void whoWaitsForRoomGoesOnOnceThereIsSome() {
        settling.thenAnswer(RefusedSettlementsTest::refuseOdd);
        settler.start();
        settler.settle(lease(1), new Settlement.Bury(new byte[(int) SetAside.BYTES_MAX]));
        settler.flush(LONG);

        // Redis takes it at the next try.
        assertThat(settler.awaitRoom(Duration.ofMinutes(5))).isTrue();
    }

    @Test
    void whatIsRefusedAtTheStopIsTriedOnceMoreAndTold() {
        for (int i = 0; i < 1_000; i++) {
            settling.thenAnswer(RefusedSettlementsTest::refuseOdd);
        }
        ack(1, 2, 3);
        settler.start();

        settler.stop(LONG);

        Eventually.until("the settler's thread ends", settling::isClosed);
        assertThat(settling.settled()).containsExactly(2L);
        assertThat(events.of(Event.LeftInFlight.class)).containsExactly(new Event.LeftInFlight(2));
    }

    @Test
    void refusedRequeuesKeepTheirOrder() {
        settling.thenAnswer(all -> refuse(all, "WRONGTYPE not a list"));
        settler.start();
        settler.requeue(List.of(lease(3), lease(1), lease(2)));

        awaitSettledAll();

        assertThat(settling.settled()).containsExactly(3L, 2L, 1L);
    }

    @Test
    void refusedSettlementsAreSentAgainAndNoOthers() {
        settling.thenAnswer(all -> refuse(all.subList(1, 2), "OOM no memory"));
        ack(1, 2, 3);
        settler.start();

        assertThat(settler.flush(LONG)).isTrue();

        assertThat(settling.calls().stream().map(RefusedSettlementsTest::tokens))
                .containsExactly(List.of(1L, 2L, 3L), List.of(2L));
        assertThat(events.of(Event.BrokerDown.class)).hasSize(1);
        assertThat(events.of(Event.BrokerUp.class)).hasSize(1);
    }

    @Test
    void stopWithoutPatienceEndsEvenWhileRedisRefuses() {
        for (int i = 0; i < 1_000; i++) {
            settling.thenAnswer(RefusedSettlementsTest::refuseAll);
        }
        settler.start();
        ack(1);
        awaitCalls(2);

        settler.stop(Duration.ZERO);

        Eventually.until("the settler's thread ends", settling::isClosed);
    }
}
