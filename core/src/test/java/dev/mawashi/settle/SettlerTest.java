package dev.mawashi.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.SettleReport;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisFailures;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SettlerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private final RecordedEvents events = new RecordedEvents();
    private final ScriptedSettling settling = new ScriptedSettling();
    private final Settler settler =
            new Settler(settling, events, new Outage(events, System::nanoTime));

    @AfterEach
    void stop() {
        settling.releaseAll();
        settler.stop(LONG);
    }

    private static Lease lease(long token) {
        return new Lease("q", "me#0", token, new byte[] {'{', '}'});
    }

    private void ack(long... tokens) {
        for (long token : tokens) {
            settler.settle(lease(token), Settlement.ACK);
        }
    }

    private static List<Long> tokens(List<Settled> settled) {
        return settled.stream().map(one -> one.lease().token()).toList();
    }

    private void awaitCalls(int count) {
        Eventually.until(count + " round trips", () -> settling.calls().size() >= count);
    }

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

    private void awaitSettledAll() {
        Eventually.until("all are settled", () -> settler.flush(Duration.ZERO));
    }

    private static SettleReport failed(boolean isUnknown) {
        throw isUnknown ? RedisFailures.unknown() : RedisFailures.notSent();
    }

    @Test
    void whatGathersDuringARoundTripGoesTogether() {
        settling.held();
        settler.start();
        ack(1);
        awaitCalls(1);

        ack(2, 3, 4, 5);
        settling.release();
        awaitCalls(2);

        assertThat(settling.calls().stream().map(SettlerTest::tokens))
                .containsExactly(List.of(1L), List.of(2L, 3L, 4L, 5L));
    }

    /// A wake-up that is lost would leave a settlement lying until the next one comes.
    @Test
    void everySettlementIsSentThoughNoOtherFollows() {
        settler.start();
        for (long i = 0; i < 20_000; i++) {
            settler.settle(lease(i), Settlement.ACK);
            if (i % 3 == 0) {
                assertThat(settler.flush(LONG)).isTrue();
            }
        }

        assertThat(settler.flush(LONG)).isTrue();
        assertThat(settling.calls().stream().flatMap(call -> tokens(call).stream()))
                .hasSize(20_000)
                .doesNotHaveDuplicates();
    }

    @Test
    void whatIsHandedOverTogetherGoesTogether() {
        settler.start();
        for (long i = 0; i < 1_000; i += 2) {
            settler.requeue(List.of(lease(i), lease(i + 1)));
        }

        assertThat(settler.flush(LONG)).isTrue();
        assertThat(settling.calls()).allMatch(call -> call.size() % 2 == 0);
    }

    @Test
    void flushWaitsForTheRoundTripUnderWay() {
        settling.held();
        settler.start();
        ack(1);
        awaitCalls(1);

        assertThat(settler.flush(Duration.ofMillis(20))).isFalse();
        settling.releaseAll();
        assertThat(settler.flush(LONG)).isTrue();
    }

    @Test
    void flushOfNothingReturnsAtOnce() {
        settler.start();

        assertThat(settler.flush(Duration.ZERO)).isTrue();
    }

    @Test
    void aDefectHoldsUpNothingElseAndIsTriedAgain() {
        for (int i = 0; i < 8; i++) {
            settling.thenAnswer(all -> {
                if (tokens(all).contains(3L)) {
                    throw new IllegalStateException("cannot write this");
                }
                return ScriptedSettling.done(0);
            });
        }
        ack(1, 2, 3, 4, 5);
        settler.start();

        awaitSettledAll();

        assertThat(settling.settled()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
        assertThat(events.of(Event.Defect.class))
                .extracting(Event.Defect::where)
                .containsExactly("settle");
    }

    @Test
    void aRefusedOneIsTriedAgainWhileNewerOnesGoOn() {
        for (int i = 0; i < 4; i++) {
            settling.thenAnswer(SettlerTest::refuseOdd);
        }
        ack(1, 2, 4);
        settler.start();
        awaitCalls(1);
        ack(6, 8);

        awaitSettledAll();

        assertThat(settling.settled()).containsExactly(2L, 4L, 6L, 8L, 1L);
        assertThat(events.all())
                .containsExactly(
                        new Event.SettlementRefused("done", "q", "WRONGTYPE not a set"),
                        new Event.RefusedSettled("done", "q", 1));
    }

    @Test
    void manyRefusedOnesAreTriedByOneAndToldOnce() {
        for (int i = 0; i < 3; i++) {
            settling.thenAnswer(SettlerTest::refuseOdd);
        }
        for (long token = 1; token < 5_000; token += 2) {
            ack(token);
        }
        settler.start();

        awaitSettledAll();

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
            settling.thenAnswer(SettlerTest::refuseOdd);
        }
        ack(1, 2);
        settler.start();

        assertThat(settler.flush(LONG)).isFalse();

        assertThat(settling.settled()).containsExactly(2L);
    }

    @Test
    void refusedOnesTakeABoundedRoom() {
        for (int i = 0; i < 1_000; i++) {
            settling.thenAnswer(SettlerTest::refuseOdd);
        }
        byte[] large = new byte[(int) (SetAside.BYTES_MAX / 4)];
        settler.start();
        for (long token = 1; token < 8; token += 2) {
            assertThat(settler.hasRoom()).isTrue();
            settler.settle(lease(token), new Settlement.Bury(large));
            settler.flush(LONG);
        }

        assertThat(settler.awaitRoom()).isFalse();
        assertThat(events.of(Event.SettlementsFull.class))
                .containsExactly(new Event.SettlementsFull(4));
    }

    @Test
    void whatIsRefusedAtTheStopIsTriedOnceMoreAndTold() {
        for (int i = 0; i < 1_000; i++) {
            settling.thenAnswer(SettlerTest::refuseOdd);
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

        assertThat(settling.calls().stream().map(SettlerTest::tokens))
                .containsExactly(List.of(1L, 2L, 3L), List.of(2L));
        assertThat(events.of(Event.BrokerDown.class)).hasSize(1);
        assertThat(events.of(Event.BrokerUp.class)).hasSize(1);
    }

    @Test
    void afterAnUnknownEffectTheSameAreSentAgainAndNoneIsCalledLate() {
        settling.thenAnswer(_ -> failed(true)).thenAnswer(_ -> ScriptedSettling.done(2));
        ack(1, 2);
        settler.start();

        assertThat(settler.flush(LONG)).isTrue();

        assertThat(settling.calls().stream().map(SettlerTest::tokens))
                .containsExactly(List.of(1L, 2L), List.of(1L, 2L));
        assertThat(events.of(Event.SettledLate.class)).isEmpty();
    }

    @Test
    void lateOnesAreCountedWhenNothingWentWrongOrNothingWasSent() {
        settling.thenAnswer(_ -> failed(false)).thenAnswer(_ -> ScriptedSettling.done(2));
        ack(1, 2);
        settler.start();

        assertThat(settler.flush(LONG)).isTrue();

        assertThat(events.of(Event.SettledLate.class)).containsExactly(new Event.SettledLate(2));
    }

    @Test
    void aBatchIsNotTaintedByTheUnknownEffectOfTheOneBefore() {
        settling.thenAnswer(_ -> failed(true))
                .thenAnswer(_ -> ScriptedSettling.done(1))
                .thenAnswer(_ -> ScriptedSettling.done(1));
        settler.start();
        ack(1);
        assertThat(settler.flush(LONG)).isTrue();
        ack(2);
        assertThat(settler.flush(LONG)).isTrue();

        assertThat(events.of(Event.SettledLate.class)).containsExactly(new Event.SettledLate(1));
    }

    @Test
    void nothingIsLostWhileRedisIsAway() {
        for (int i = 0; i < 4; i++) {
            boolean isUnknown = i % 2 == 0;
            settling.thenAnswer(_ -> failed(isUnknown));
        }
        settler.start();
        ack(1, 2, 3);
        awaitCalls(2);
        ack(4, 5);

        assertThat(settler.flush(LONG)).isTrue();

        List<List<Settled>> calls = settling.calls();
        List<Settled> settled =
                calls.subList(4, calls.size()).stream().flatMap(List::stream).toList();
        assertThat(tokens(settled)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(events.of(Event.BrokerDown.class)).hasSize(1);
        assertThat(events.of(Event.BrokerUp.class)).hasSize(1);
    }

    @Test
    void trimmedDeadJobsAreReported() {
        settling.thenAnswer(_ -> new SettleReport(0, List.of(), 3, List.of()));
        settler.start();
        ack(1);

        assertThat(settler.flush(LONG)).isTrue();

        assertThat(events.all()).containsExactly(new Event.DeadSetTrimmed(3));
    }

    @Test
    void stopSettlesWhatWasTakenOverAndClosesTheSession() {
        ack(1, 2, 3);
        settler.start();

        settler.stop(LONG);
        settler.stop(LONG);

        assertThat(tokens(settling.calls().stream().flatMap(List::stream).toList()))
                .containsExactly(1L, 2L, 3L);
        assertThat(settling.isClosed()).isTrue();
    }

    @Test
    void stopWithoutPatienceEndsEvenWhileRedisRefuses() {
        for (int i = 0; i < 1_000; i++) {
            settling.thenAnswer(SettlerTest::refuseAll);
        }
        settler.start();
        ack(1);
        awaitCalls(2);

        settler.stop(Duration.ZERO);

        Eventually.until("the settler's thread ends", settling::isClosed);
    }

    @Test
    void stopMayComeBeforeStart() {
        settler.stop(Duration.ZERO);
        settler.start();

        Eventually.until("the settler's thread ends", settling::isClosed);
    }
}
