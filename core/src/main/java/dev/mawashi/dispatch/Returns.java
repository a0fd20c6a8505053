package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.settle.Settler;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Gives claimed jobs back to their queue. The claimer's thread's.
final class Returns {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Settler settler;
    private final BooleanSupplier isOver;

    /// @param isOver whether nothing will be claimed any more
    Returns(Settler settler, BooleanSupplier isOver) {
        this.settler = settler;
        this.isOver = isOver;
    }

    void giveBack(List<Lease> leases) {
        if (!leases.isEmpty()) {
            settler.requeue(leases);
        }
    }

    /// Returns once they are back, so that nothing which is claimed then overtakes them: claims
    /// have a connection of their own. What Redis refuses is not waited for.
    void giveBackFirst(List<Lease> leases) {
        giveBack(leases);
        boolean areBack = leases.isEmpty();
        while (!areBack && !isOver.getAsBoolean()) {
            areBack = settler.awaitAnswers(LOOK);
        }
    }
}
