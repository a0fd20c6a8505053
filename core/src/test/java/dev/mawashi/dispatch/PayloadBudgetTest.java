package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadBudgetTest {
    private static Lease large(long token) {
        return new Lease("q", "me#0", token, new byte[50]);
    }

    @Test
    void noMoreIsWantedWhileJobsThatWaitOrRunHaveTooManyBytes() {
        PayloadBudget.Part part = new PayloadBudget(100).ofChildren();
        LeaseBuffer bounded = new LeaseBuffer(part);
        Intake one = new Intake(bounded, new Berth(9));
        one.open(_ -> {});
        assertThat(bounded.room()).isEqualTo(9);

        bounded.add(List.of(large(1)));
        assertThat(bounded.room()).isEqualTo(8);
        assertThat(bounded.begin(large(2), () -> {})).isTrue();
        assertThat(bounded.isFull()).isTrue();
        assertThat(bounded.room()).isZero();
        assertThat(bounded.begin(large(3), () -> {})).isFalse();
        List<Lease> taken = one.take(Duration.ZERO);
        assertThat(bounded.room()).as("they run").isZero();

        one.free(taken.subList(0, 1));
        assertThat(bounded.room()).isEqualTo(8);
        bounded.putBack(taken.subList(0, 1));
        assertThat(bounded.room()).isZero();
        bounded.drain();
        assertThat(bounded.isFull()).isFalse();
        one.end();
        assertThat(part.free(0)).isFalse();
    }

    @Test
    void aLargeJobOnAThreadCountsFourTimes() {
        PayloadBudget.Part part = new PayloadBudget(1).ofThreads();
        int small = PayloadBudget.SMALL_BYTES_MAX;

        assertThat(part.cost(new Lease("q", "me#0", 0, new byte[small]))).isEqualTo(small);
        assertThat(part.cost(new Lease("q", "me#0", 0, new byte[small + 1])))
                .isEqualTo(4L * (small + 1));
    }

    @Test
    void whateverOthersHoldACapsuleThatHoldsNothingWantsAJob() {
        PayloadBudget budget = new PayloadBudget(100);
        LeaseBuffer other = new LeaseBuffer(budget.ofChildren());
        LeaseBuffer own = new LeaseBuffer(budget.ofChildren());
        Intake one = new Intake(own, new Berth(3));
        one.open(_ -> {});
        other.add(List.of(large(1), large(2)));

        assertThat(own.room()).isEqualTo(3);
        own.add(List.of(large(3)));
        assertThat(own.room()).isZero();
        other.drain();
        assertThat(own.room()).isEqualTo(2);
    }

    @Test
    void whatDeadConsumersAndSlotsHeldIsFree() {
        LeaseBuffer bounded = new LeaseBuffer(new PayloadBudget(100).ofChildren());
        Intake dead = new Intake(bounded, new Berth(2));
        dead.open(_ -> {});
        bounded.add(List.of(large(1), large(2)));
        List<Lease> lost = dead.take(Duration.ZERO);
        dead.end();
        // As what it had ended before its death is told late.
        dead.free(lost);
        Intake next = new Intake(bounded, new Berth(4));
        next.open(_ -> {});
        assertThat(bounded.room()).isEqualTo(4);

        bounded.add(List.of(large(3), large(4)));
        assertThat(bounded.take(0)).isNotNull();
        assertThat(bounded.take(50)).isNotNull();
        assertThat(bounded.room()).isEqualTo(4);
    }
}
