package dev.mawashi.broker;

import java.time.Duration;

/// Waits for work without polling.
public interface Parking extends Session {
    /// Largest payload that comes with an arrival. Many may park at once, and each would hold one.
    int BYTES_MAX = 1 << 20;

    /// The result of a wait.
    sealed interface Arrival {
        /// No job came, or it is not known whether one did: if so, the next claim finds it.
        Arrival NONE = new None();

        /// See `NONE`.
        record None() implements Arrival {}

        /// A job came whose payload is larger than `BYTES_MAX`. It is left to the next claim, which
        /// finds it first.
        Arrival LARGE = new Large();

        /// See `LARGE`.
        record Large() implements Arrival {}

        /// A job came. It is this process's: `begin` has it run at once, `leave` leaves it to the
        /// next claim.
        record Job(Lease lease) implements Arrival {}
    }

    /// Waits until a job comes to the queue and moves it to the owner's arrivals there. Exactly one
    /// of all parked processes wakes for a job.
    ///
    /// @param wait longest wait, at least 10 ms; no longer than the owner's lease is good, so that
    ///   no job comes to an owner whose jobs others have recovered
    Arrival awaitArrival(String queue, String owner, Duration wait);

    /// Notes that the job which arrived runs from now on. The caller sees to its being in flight,
    /// by `Settlement.ARRIVED`, before it settles it in any other way.
    void begin(Arrival.Job job);

    /// Leaves the job that arrived to the next claim, which finds it first.
    void leave(Arrival.Job job);

    /// Puts back to the head of its queue what arrived for an owner that this process is no more.
    void giveBack(String queue, String owner);

    /// Ends a wait from another thread, and any later one; that wait fails or brings nothing.
    void abort();
}
