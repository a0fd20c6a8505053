package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Slots that children hold together.
@Timeout(60)
class BerthsTest {
    private static final Duration AT_ONCE = Duration.ZERO;

    private final LeaseBuffer buffer = new LeaseBuffer(PayloadBudget.ofHeap().ofChildren());
    private final Berths berths = new Berths(buffer, _ -> 2);

    private static Lease lease(int number) {
        return new Lease("q", "owner", number, new byte[] {(byte) number});
    }

    private Intake open() {
        return open(0);
    }

    private Intake open(int place) {
        Intake intake = berths.intake(place);
        intake.open(_ -> {});
        return intake;
    }

    @Test
    void aSuccessorGetsTheSlotsThatTheOneBeforeItLeaves() {
        buffer.add(List.of(lease(1), lease(2), lease(3), lease(4)));
        Intake before = open();
        before.holdAhead(5);
        List<Lease> held = before.take(AT_ONCE);
        before.close();
        before.free(held.subList(0, held.size() - 1));
        Intake next = open();
        next.holdAhead(5);
        buffer.add(List.of(lease(5), lease(6), lease(7)));

        assertThat(next.take(AT_ONCE)).hasSize(1);
        assertThat(buffer.hasIdleSlot()).isFalse();
        before.free(held.subList(held.size() - 1, held.size()));
        assertThat(next.take(AT_ONCE)).isNotEmpty();
    }

    @Test
    void slotsOfOlderCodeAreLentAtWhicheverPlaces() {
        berths.holdBack(3);
        Intake full = open(0);
        Intake other = open(1);
        buffer.add(List.of(lease(1), lease(2), lease(3), lease(4)));

        assertThat(other.take(AT_ONCE)).hasSize(1);
        berths.holdBack(1);
        berths.holdBack(2);
        assertThat(buffer.idleSlots).isEqualTo(2);
        berths.holdBack(0);
        assertThat(full.take(AT_ONCE)).hasSize(2);
        assertThat(other.take(AT_ONCE)).hasSize(1);
        assertThat(full.busy() + other.busy()).isEqualTo(4);
    }

    @Test
    void whatADeadOneHeldIsFree() {
        buffer.add(List.of(lease(1), lease(2)));
        Intake dead = open();
        assertThat(dead.take(AT_ONCE)).hasSize(2);
        dead.end();
        Intake next = open();
        buffer.add(List.of(lease(3), lease(4)));

        assertThat(next.take(AT_ONCE)).hasSize(2);
    }

    @Test
    void aSlotIsBorrowedOnceNobodyRunsAJobInIt() {
        buffer.add(List.of(lease(1), lease(2)));
        Intake intake = open();
        List<Lease> held = intake.take(AT_ONCE);
        CompletableFuture<@Nullable Berth> borrowed = CompletableFuture.supplyAsync(berths::borrow);
        // However long that waits.
        assertThat(borrowed).isNotDone();
        intake.free(held.subList(0, 1));
        Berth lender = borrowed.join();

        buffer.add(List.of(lease(3)));
        assertThat(buffer.hasIdleSlot()).isFalse();
        assertThat(lender).isNotNull();
        berths.giveBack(lender);
        assertThat(intake.take(AT_ONCE)).hasSize(1);
    }

    @Test
    void aSlotIsBorrowedOfWhicheverChildHasOneFirst() throws InterruptedException {
        buffer.add(List.of(lease(1), lease(2), lease(3), lease(4)));
        List<Intake> intakes = List.of(open(0), open(1));
        List<List<Lease>> held = intakes.stream().map(one -> one.take(AT_ONCE)).toList();
        assertThat(held).allMatch(jobs -> jobs.size() == 2);
        for (int place : List.of(0, 1)) {
            Thread borrower = Thread.ofPlatform().start(() -> berths.giveBack(borrowed()));
            Eventually.until("it waits", () -> borrower.getState() == Thread.State.WAITING);

            intakes.get(place).free(held.get(place).subList(0, 1));

            borrower.join();
            // All have their slots again.
            buffer.add(List.of(lease(5 + place)));
            assertThat(intakes.get(place).take(AT_ONCE)).hasSize(1);
        }
        assertThat(buffer.hasIdleSlot()).isFalse();
    }

    private Berth borrowed() {
        return Objects.requireNonNull(berths.borrow());
    }

    @Test
    void nothingIsBorrowedOnceTheBufferIsClosed() {
        buffer.add(List.of(lease(1), lease(2)));
        Intake intake = open();
        List<Lease> _ = intake.take(AT_ONCE);
        CompletableFuture<@Nullable Berth> borrowed = CompletableFuture.supplyAsync(berths::borrow);
        buffer.close();

        assertThat(borrowed.join()).isNull();
    }
}
