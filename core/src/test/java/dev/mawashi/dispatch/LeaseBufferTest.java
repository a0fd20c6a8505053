package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseBufferTest {
    private final LeaseBuffer buffer = new LeaseBuffer(PayloadBudget.ofHeap().ofChildren());
    private final Demand demand = new Demand(buffer);
    private final List<Long> taken = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> slots = new ArrayList<>();

    /// What was sent without `take`.
    private final List<Lease> sent = new ArrayList<>();

    @AfterEach
    void endSlots() throws InterruptedException {
        buffer.close();
        for (Thread slot : slots) {
            slot.join();
        }
    }

    private static List<Lease> leases(long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(token -> new Lease("q", "me#0", token, new byte[0]))
                .toList();
    }

    /// Starts slots that take whatever comes.
    private void startSlots(int count) {
        for (int i = 0; i < count; i++) {
            slots.add(Thread.ofVirtual().name("mawashi-slot-" + i).start(this::takeAll));
        }
        Eventually.until("all are idle", () -> idleSlots() >= count);
    }

    private void takeAll() {
        for (Lease lease = buffer.take(0); lease != null; lease = buffer.take(0)) {
            taken.add(lease.token());
        }
    }

    private int idleSlots() {
        return demand.awaitNeed(1_000).room() - 1_000;
    }

    @Test
    void jobsThatCameTogetherWakeASlotEach() {
        for (int i = 0; i < 3; i++) {
            slots.add(Thread.ofVirtual().start(this::takeOne));
        }
        Eventually.until("all are idle", () -> idleSlots() >= 3);

        buffer.add(leases(0, 3));

        Eventually.until("all are taken", () -> taken.size() == 3);
    }

    /// As a slot whose job goes on and on.
    private void takeOne() {
        Lease lease = buffer.take(0);
        if (lease != null) {
            taken.add(lease.token());
        }
    }

    @Test
    void jobsAreTakenInTheOrderInWhichTheyWereAdded() {
        buffer.add(leases(0, 3));
        buffer.add(leases(3, 5));
        startSlots(1);

        assertThat(taken).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void everyIdleSlotIsAJobWanted() {
        startSlots(3);

        assertThat(demand.awaitNeed(0).room()).isEqualTo(3);
        assertThat(demand.awaitNeed(5).room()).isEqualTo(8);
        assertThat(buffer.hasIdleSlot()).isTrue();
    }

    @Test
    void manySlotsTakeEachJobOnce() {
        startSlots(8);
        for (int i = 0; i < 1_000; i += 10) {
            buffer.add(leases(i, i + 10));
        }

        Eventually.until("all are taken", () -> taken.size() >= 1_000);
        assertThat(taken).hasSize(1_000).doesNotHaveDuplicates();
    }

    /// A wake-up that is lost would leave the claimer waiting for slots that wait for it.
    @Test
    void claimerAndSlotsNeverWaitForEachOther() {
        startSlots(4);
        int all = 200_000;
        int added = 0;
        while (added < all) {
            Demand.Need need = demand.awaitNeed(added % 7);
            int end = Math.min(all, added + need.room());
            assertThat(need.stale()).isEmpty();
            buffer.add(leases(added, end));
            added = end;
        }

        Eventually.until("all are taken", () -> taken.size() >= all);
        assertThat(taken).hasSize(all).doesNotHaveDuplicates();
        assertThat(idleSlots()).isEqualTo(4);
    }

    @Test
    void moreIsWantedOnlyWhenHalfOfWhatIsHeldReadyIsGone() {
        buffer.add(leases(0, 6));
        buffer.poke();
        assertThat(demand.awaitNeed(10).room()).isZero();

        buffer.take(0);

        assertThat(demand.awaitNeed(10).room()).isEqualTo(5);
    }

    @Test
    void whatNoSlotTakesBecomesStale() {
        buffer.add(leases(0, 3));

        Demand.Need need = demand.awaitNeed(2);

        assertThat(need.room()).isZero();
        assertThat(need.stale()).extracting(Lease::token).containsExactly(0L, 1L, 2L);
        assertThat(buffer.drain()).isEmpty();
    }

    @Test
    void aPokeWakesTheClaimerWithoutAWish() {
        buffer.poke();

        assertThat(demand.awaitNeed(0)).isEqualTo(new Demand.Need(0, List.of()));
    }

    @Test
    void aClosedBufferStartsNothingAndKeepsAllInOrder() throws InterruptedException {
        startSlots(2);
        buffer.close();
        for (Thread slot : slots) {
            slot.join();
        }
        buffer.add(leases(0, 2));
        buffer.add(leases(2, 3));

        assertThat(buffer.take(0)).isNull();
        assertThat(demand.awaitNeed(5).room()).isZero();
        assertThat(buffer.drain()).extracting(Lease::token).containsExactly(0L, 1L, 2L);
        assertThat(buffer.drain()).isEmpty();
    }

    @Test
    void aConsumerHoldsNoJobReadyThatAnIdleSlotOfAnotherCouldRun() {
        Intake first = intake(5, 100);
        Intake second = intake(5, 100);
        buffer.add(leases(0, 8));

        assertThat(tokens(first)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(tokens(second)).containsExactly(5L, 6L, 7L);

        buffer.add(leases(8, 38));
        assertThat(tokens(first)).as("all but the two that the second can run").hasSize(28);
        assertThat(tokens(second)).containsExactly(36L, 37L);
    }

    @Test
    void aConsumerHoldsNoMoreReadyThanSoManyBytes() {
        Intake one = intake(2, 100);
        byte[] half = new byte[Intake.AHEAD_BYTES_MAX / 2];
        List<Lease> large =
                LongStream.range(0, 9).mapToObj(i -> new Lease("q", "me#0", i, half)).toList();
        buffer.add(large);

        assertThat(tokens(one)).as("one for each of its slots").containsExactly(0L, 1L);

        one.free(large.subList(0, 1));
        assertThat(tokens(one)).containsExactly(2L);
        one.free(large.subList(1, 3));
        buffer.add(leases(9, 20));
        assertThat(tokens(one)).containsExactly(3L, 4L);
    }

    @Test
    void whatAConsumerGivesBackIsTakenFirst() {
        Intake one = intake(2, 0);
        buffer.add(leases(0, 4));
        assertThat(tokens(one)).containsExactly(0L, 1L);

        one.free(leases(0, 2));
        buffer.putBack(leases(0, 2));

        assertThat(tokens(one)).containsExactly(0L, 1L);
        assertThat(buffer.hasIdleSlot()).isFalse();
    }

    @Test
    void whateverIsGivenBackFirstTheOldestIsTakenFirst() {
        Intake one = intake(9, 0);
        buffer.add(leases(0, 7));
        assertThat(tokens(one)).hasSize(7);
        one.free(leases(0, 7));

        buffer.add(leases(7, 9));
        buffer.putBack(leases(2, 4));
        buffer.putBack(leases(4, 7));
        buffer.putBack(leases(0, 2));

        assertThat(tokens(one)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void theSlotsOfAConsumerThatIsGoneAreIdleNoMore() {
        Intake gone = intake(3, 0);
        Intake other = intake(2, 0);
        assertThat(demand.awaitNeed(0).room()).isEqualTo(5);

        gone.close();

        assertThat(demand.awaitNeed(0).room()).isEqualTo(2);
        assertThat(gone.take(Duration.ZERO)).isEmpty();
        other.close();
    }

    @Test
    void aJobThatArrivesForAnIdleConsumerIsSentByTheThreadThatBringsIt() {
        Intake one = intake(2, 100);
        Lease arrived = leases(0, 1).getFirst();

        assertThat(buffer.begin(arrived, () -> assertThat(sent).isEmpty())).isTrue();

        assertThat(sent).containsExactly(arrived);
        assertThat(buffer.isEmpty()).isTrue();
        assertThat(demand.awaitNeed(0).room()).isEqualTo(1);
        one.free(sent);
        assertThat(demand.awaitNeed(0).room()).isEqualTo(2);
    }

    @Test
    void whatArrivesGoesToTheConsumerThatHasLeastToDoAndNeverToOneWithoutAnIdleSlot() {
        List<String> takers = new ArrayList<>();
        new Intake(buffer, new Berth(1)).open(_ -> takers.add("first"));
        Intake second = new Intake(buffer, new Berth(2));
        second.open(_ -> takers.add("second"));
        Intake resting = new Intake(buffer, new Berth(9));
        resting.open(_ -> takers.add("resting"));
        resting.rest(this);

        leases(0, 3).forEach(lease -> assertThat(buffer.begin(lease, () -> {})).isTrue());

        assertThat(takers).containsExactly("second", "first", "second");
        assertThat(buffer.begin(leases(3, 4).getFirst(), () -> sent.clear())).isFalse();
        second.close();
        resting.goOn(this);
        resting.close();
        assertThat(buffer.begin(leases(3, 4).getFirst(), () -> sent.clear())).isFalse();
        assertThat(takers).hasSize(3);
    }

    @Test
    void whatArrivesBehindJobsThatWaitIsTakenAfterThem() {
        Intake one = intake(3, 0);
        buffer.add(leases(0, 1));

        assertThat(buffer.begin(leases(1, 2).getFirst(), () -> {})).isTrue();

        assertThat(sent).isEmpty();
        assertThat(tokens(one)).containsExactly(0L, 1L);
    }

    @Test
    void whatAConsumerMayHaveNoRoomForInItsSocketKeepsNobodyWaitingWhoBringsIt() {
        Intake large = intake(2, 0);
        intake(1, 0);
        byte[] most = new byte[Intake.AT_ONCE_BYTES_MAX];

        assertThat(buffer.begin(new Lease("q", "me#0", 0, most), () -> {})).isTrue();
        assertThat(buffer.begin(new Lease("q", "me#0", 1, new byte[1]), () -> {})).isTrue();
        assertThat(sent).hasSize(2);

        assertThat(buffer.begin(new Lease("q", "me#0", 2, new byte[1]), () -> {})).isTrue();
        assertThat(sent).as("one has no room, the other no slot").hasSize(2);
        assertThat(tokens(large)).containsExactly(2L);
    }

    private Intake intake(int slots, int ahead) {
        Intake intake = new Intake(buffer, new Berth(slots));
        intake.open(sent::add);
        intake.holdAhead(ahead);
        return intake;
    }

    private List<Long> tokens(Intake intake) {
        return intake.take(Duration.ZERO).stream().map(Lease::token).toList();
    }
}
