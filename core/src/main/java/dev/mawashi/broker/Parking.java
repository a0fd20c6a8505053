package dev.mawashi.broker;

import java.time.Duration;

/// Waits for work without polling.
public interface Parking extends Session {

    /// Waits until a job comes to the queue and moves it to the queue's arrivals, where the next
    /// claim finds it. Exactly one of all parked processes wakes for a job.
    ///
    /// @param wait longest wait, at least 10 ms
    /// @return true when a job arrived
    boolean awaitArrival(String queue, Duration wait);

    /// Ends a wait from another thread, and any later one; that wait fails or returns false.
    void abort();
}
