package dev.mawashi.broker;

import java.time.Duration;

/// Waits for work without polling.
public interface Parking extends Session {

    /// Waits until a job comes to the queue, moves it to the queue's arrivals, and claims it from
    /// there in the same round trip. Exactly one of all parked processes wakes for a job.
    ///
    /// A job that has come and could not be claimed is in the arrivals, where the next claim finds
    /// it; so is one whose reply is lost, once a claim has been made.
    ///
    /// @param owner whose in-flight store takes it
    /// @param wait longest wait, at least 10 ms
    Arrival awaitArrival(String queue, String owner, Duration wait);

    /// Ends a wait from another thread, and any later one; that wait fails or nothing comes to it.
    void abort();

    /// What a wait brought.
    ///
    /// @param hasCome a job came to the queue
    /// @param claimed the job, unless another one claimed it, or the owner has no lease
    record Arrival(boolean hasCome, Claiming.Claimed claimed) {
        static final Arrival NOTHING = new Arrival(false, Claiming.Claimed.NOTHING);
    }
}
