package dev.mawashi.operate;

import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.RunId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Has a run of a job ended that has no jid. One thread's.
///
/// Only the run's process can be asked, since nothing but the run separates the job from another
/// that is alike to the last byte. When the process dies and the job begins anew, that is another
/// run.
public final class RunCanceller {
    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

    /// Longest wait between a process's settlement and its taking the mark out.
    private static final Duration UNMARK_PATIENCE = Duration.ofSeconds(2);

    private final CancelMarks marks;
    private final InFlightReader inFlight;

    public RunCanceller(CancelMarks marks, InFlightReader inFlight) {
        this.marks = marks;
        this.inFlight = inFlight;
    }

    /// @param patience how long its process may take to end it
    /// @return never `DELETED`
    public Cancellation cancel(RunId run, Duration patience) {
        List<InFlightReader.Held> held = inFlight.held(run);
        List<String> owners = held.stream().map(InFlightReader.Held::process).distinct().toList();
        if (held.isEmpty()) {
            return new Cancellation(Cancellation.State.NOWHERE, owners);
        }
        String name = run.toString();
        marks.mark(name);
        if (!await(patience, () -> held.stream().noneMatch(inFlight::isHeld))) {
            return new Cancellation(Cancellation.State.TOLD, owners);
        }
        if (await(UNMARK_PATIENCE, () -> !marks.isMarked(name))) {
            return new Cancellation(Cancellation.State.ENDED, owners);
        }
        marks.unmark(List.of(name));
        return new Cancellation(Cancellation.State.TOO_LATE, owners);
    }

    private static boolean await(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }
}
