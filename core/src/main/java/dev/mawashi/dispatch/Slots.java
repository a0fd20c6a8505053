package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.List;

/// The places of one capsule where jobs run. They take their jobs from the capsule's buffer and
/// have what came of them settled; when the buffer closes they finish what they began and end.
interface Slots {

    void start();

    /// Puts back into the buffer, which is closed, what slots hold and have not begun.
    void recall();

    /// Waits until all have ended, which they do once the buffer is closed.
    void awaitEnd(Duration patience);

    /// True when nothing runs here and nothing will.
    boolean haveEnded();

    /// The jobs that run now.
    List<Running> running();

    /// Takes the running jobs away from the slots, so that their ends settle nothing.
    List<Lease> takeAway();

    /// Asks all jobs that run to end.
    void interrupt();
}
