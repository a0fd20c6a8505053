package dev.mawashi.presence;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.Settled;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// A process's lease that a test keeps step by step, with the code of the thread that does it
/// otherwise.
public final class SteppedLease {
    public static final Duration LENGTH = Duration.ofMinutes(5);

    private final LeaseKeeper keeper;

    /// @param settle as `LeaseKeeper`'s
    public SteppedLease(
            Leasing leasing,
            Epoch epoch,
            List<String> queues,
            Consumer<Settled> settle,
            Listener listener) {
        keeper =
                new LeaseKeeper(
                        leasing,
                        epoch,
                        queues,
                        new LeaseSettings(LENGTH, LENGTH),
                        settle,
                        listener,
                        new Outage(listener, System::nanoTime));
    }

    /// @return false when Redis did not answer
    public boolean keep() {
        return keeper.keepOnce();
    }
}
