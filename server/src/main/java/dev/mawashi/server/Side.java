package dev.mawashi.server;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.presence.OwnReading;
import java.util.List;

/// Sidekiq's half of a server, or Resque's. It shares the process with the other, and has queues,
/// leases and recovery of its own.
interface Side {
    /// In the order in which they are shown.
    List<Capsule> capsules();

    /// See `LeaseKeeper.isGoingRound`.
    boolean isGoingRound();

    /// Its services, in the order in which they start.
    ///
    /// @param own for the record, which is that of the whole process
    List<Service> services(OwnReading own);

    /// Takes part in nothing but its own jobs from now on: another process has taken over.
    void standDown();

    /// The queues and what runs their jobs, for the log.
    String describe();
}
