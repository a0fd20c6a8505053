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
import org.junit.jupiter.api.Test;

/// What is handed over is settled, whatever becomes of the round trips: each is sent until it has
/// an answer, together with what gathered meanwhile.
class SettlerTest extends SettlerRig {
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

    /// What came of it would find nothing in flight, and the job would then be there for ever.
    @Test
    void aDefectHasNoJobSettledBeforeItIsInFlight() {
        settling.thenAnswer(_ -> {
            throw new IllegalStateException("cannot read this");
        });
        settler.arrived(lease(1));
        settler.arrived(lease(2));
        ack(2, 3, 1);
        settler.start();

        awaitSettledAll();

        assertThat(settling.calls().stream().skip(1).flatMap(List::stream))
                .extracting(Settled::settlement)
                .startsWith(Settlement.ARRIVED, Settlement.ARRIVED)
                .hasSize(5);
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
    void stopMayComeBeforeStart() {
        settler.stop(Duration.ZERO);
        settler.start();

        Eventually.until("the settler's thread ends", settling::isClosed);
    }
}
